import { ServerResponse, type IncomingMessage } from 'node:http';
import helmet from 'helmet';
import type { Check } from './run-checks.ts';

const setHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      'upgrade-insecure-requests': null,
      // The defaults of Helmet would allow styles and fonts from any https host. Inline styles are allowed because the
      // API page uses them.
      'style-src': ["'self'", "'unsafe-inline'"],
      'font-src': ["'self'", 'data:'],
    },
  },
  hsts: false,
  referrerPolicy: { policy: 'no-referrer' },
});

/** Security headers. They are the same in every response, so Helmet creates them only once. */
const HEADERS = listHeaders();

function listHeaders(): [string, string][] {
  const nobody = { method: 'GET' } as IncomingMessage;
  const response = new ServerResponse(nobody);
  setHeaders(nobody, response, () => undefined);
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}

/** Sets the security headers of a response for browsers. */
export const protectBrowsers: Check = (_request, response) => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
};
