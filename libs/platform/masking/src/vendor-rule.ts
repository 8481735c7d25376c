import { ASSIGNED, TYPE } from './assignment.ts';
import type { ContextRule } from './context-rules.ts';

/** Services whose keys have no prefix; the list follows the rules of gitleaks (MIT, see THIRD_PARTY_NOTICES.md). */
const VENDORS =
  'adafruit adobe airtable algolia alibaba asana beamer bitbucket bittrex cloudflare codecov cohere coinbase confluent contentful datadog discord droneci dropbox etsy facebook fastly finicity finnhub flickr freshbooks gitter gocardless intercom jfrog artifactory bintray kraken kucoin launchdarkly linear linkedin linked_in lob looker mailchimp mailgun mapbox mattermost meraki messagebird message_bird netlify newrelic new_relic nytimes okta plaid privateai private_ai rapidapi sendbird sentry sidekiq snyk sonar sourcegraph squarespace sumo sumologic telegram travis twilio twitch twitter typeform yandex zendesk heroku hubspot bundle_enterprise__contribsys__com bundle_gems__contribsys__com'.split(
    ' ',
  );

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/**
 * Matches a single run of letters and digits that is at least as long as the shortest key of these services, or two
 * parts of eight hexadecimal digits with a colon between them.
 */
const RANDOM = /^(?:(?=[A-Za-z]{0,60}\d)(?=\d{0,60}[A-Za-z])[A-Za-z0-9]{15,}={0,2}|[a-f0-9]{8}:[a-f0-9]{8})$/;
/** Matches a name that is only a part of another word, such as `sumO` in `sumOfItems`. */
const IN_A_WORD = /[a-z][A-Z]$/;
const NO_SECRET = /(?:id|url|uri|host|version|sha|commit|image|ref|digest|region|name)$/i;

/** Rule for a key after the name of its service: `DATADOG = 0123...`. */
export const VENDOR_RULE: ContextRule = {
  id: 'vendor-key',
  keywords: VENDORS,
  pattern: new RegExp(
    String.raw`(?<![A-Za-z0-9])(?<vendor>${VENDORS.join('|')})(?<between>[\w.-]{0,30})[ \t]{0,8}["'\]]{0,2}${TYPE}[ \t]{0,8}(?:${ASSIGNED}[ \t]{0,8}|,\s{0,16}(?=["'])|>\s{0,64})["'\x60]?(?<secret>[A-Za-z0-9_.=/+|%:-]{15,256})(?![A-Za-z0-9])`,
    'dgi',
  ),
  isCredential: (secret, hit) =>
    !NO_SECRET.test(hit.groups?.['between'] ?? '') &&
    !IN_A_WORD.test(hit.groups?.['vendor'] ?? '') &&
    (RANDOM.test(secret) || UUID.test(secret)),
};
