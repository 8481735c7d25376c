import { readOrigin } from '@steward/egress';
import { setting } from '@steward/process';

/** Settings of the gateway for trackers. */
export const trackerSettings = {
  trackerInsecureOrigins: setting.list('TRACKER_ALLOW_INSECURE_URLS', {
    check: (entry) => void readOrigin(entry),
    description:
      'Origins (scheme://host:port) of trackers that may use http, loopback or private addresses, comma separated: for trackers in your own network and for tests.',
  }),
} as const;
