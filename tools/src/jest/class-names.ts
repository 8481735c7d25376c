/** Replacement of every CSS module: the class names are their own keys. */
export default new Proxy({}, { get: (_target, name) => name });
