/** Version of this build, in every health response. A test compares it with the root `package.json`. */
export const VERSION = '0.1.0';
