/** Replaces every CSS module: a class name is its key. */
export default new Proxy({}, { get: (_target, name) => name });
