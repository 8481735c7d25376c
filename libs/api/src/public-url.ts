/** Default of PUBLIC_URL: an address that is valid only on this machine. */
export const DEFAULT_PUBLIC_URL = 'http://127.0.0.1:8000';
