import { specTypeSchemas } from '@modelcontextprotocol/client';
import { toPlainJson } from '@steward/text';
import type { ListedOffers, Offer, OfferKind } from '../tool-server-client.ts';
import { isRecord } from './is-record.ts';

interface Kind {
  /** Name of the field that identifies the offer. */
  readonly key: 'uri' | 'uriTemplate' | 'name';
  readonly what: string;
  readonly type: 'Resource' | 'ResourceTemplate' | 'Prompt';
}

const KINDS: Readonly<Record<OfferKind, Kind>> = {
  resources: { key: 'uri', what: 'a resource', type: 'Resource' },
  resourceTemplates: { key: 'uriTemplate', what: 'a resource template', type: 'ResourceTemplate' },
  prompts: { key: 'name', what: 'a prompt', type: 'Prompt' },
};

/** Maximum length in characters of a key, which is sent with each request; longer than any reasonable key. */
const MAX_KEY = 2048;

/**
 * Converts each offer separately, as for tools (`fitTools`): fields that clients do not accept are removed. An offer is
 * omitted if its key is missing, too long or that of an earlier offer, or if clients would still reject the offer.
 */
export function fitOffers(kind: OfferKind, listed: readonly unknown[]): ListedOffers {
  const { key, what } = KINDS[kind];
  const offers = new Map<string, Offer>();
  const faults = new Set<string>();
  for (const each of listed) {
    const name = isRecord(each) ? each[key] : undefined;
    if (!isRecord(each) || typeof name !== 'string' || name === '' || name.length > MAX_KEY)
      faults.add(`${what} without a ${key} is omitted`);
    else if (!offers.has(name)) {
      const fitted = fitOffer(kind, { ...each, name: typeof each['name'] === 'string' ? each['name'] : name });
      if (fitted === undefined) faults.add(`${what} that no client accepts is omitted`);
      else offers.set(name, fitted);
    }
  }
  return { offers: [...offers.values()], faults: [...faults] };
}

function fitOffer(kind: OfferKind, offer: Offer): Offer | undefined {
  const wrong = new Set(findWrong(kind, offer));
  if (wrong.size === 0) return offer;
  const fitted = Object.fromEntries(Object.entries(offer).filter(([field]) => !wrong.has(field)));
  return findWrong(kind, fitted).length === 0 ? fitted : undefined;
}

/** Returns the names of the fields that clients do not accept. */
function findWrong(kind: OfferKind, offer: Offer): readonly string[] {
  const checked = specTypeSchemas[KINDS[kind].type]['~standard'].validate(toPlainJson(offer));
  if (checked instanceof Promise) throw new Error('a schema of the protocol was not validated synchronously');
  return (checked.issues ?? []).map(({ path: [field] = [] }) =>
    String(typeof field === 'object' ? field.key : (field ?? '')),
  );
}
