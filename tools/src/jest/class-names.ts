/** Stands for every CSS module: a class is called what it is called. */
export default new Proxy({}, { get: (_target, name) => name });
