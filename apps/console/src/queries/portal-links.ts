import type { PortalLinkPage } from '../api/answers.ts';
import { pagesOf } from './pages-of.ts';
import { accountKey } from './query-client.ts';

export const PORTAL_LINKS_PATH = '/api/v1/event-webhooks/portal-links';

export const portalLinksKey = (): readonly unknown[] => accountKey('portal-links');

export const portalLinksQuery = pagesOf<PortalLinkPage>(portalLinksKey, PORTAL_LINKS_PATH);
