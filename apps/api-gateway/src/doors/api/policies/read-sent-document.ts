import { checkDocument, type PolicyDocument } from '@steward/slice-policies';
import { refuseDocument } from './policies-deps.ts';

/** A document within a JSON body: its text, or what it says. @throws invalid_policy */
export function readSentDocument(sent: unknown): PolicyDocument {
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent, null, 2);
  const { document, errors, warnings } = checkDocument(text);
  if (document === undefined) throw refuseDocument(errors, warnings);
  return document;
}
