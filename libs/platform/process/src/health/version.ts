/** The version of this build, in every health answer. A test holds it against the root `package.json`. */
export const VERSION = '0.1.0';
