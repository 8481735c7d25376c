/** The default: an address of this machine alone. */
export const DEFAULT_PUBLIC_URL = 'http://127.0.0.1:8000';
