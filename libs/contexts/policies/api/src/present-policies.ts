import { Readable } from 'node:stream';
import type { AnswerBody, SourceAnswer } from '@steward/http';
import type { FullPolicyVersion, PolicyVersion } from '@steward/policies';
import type { PolicyAnswer, VersionAnswer } from './policies-schemas.ts';

export function presentVersion(version: PolicyVersion): AnswerBody<typeof VersionAnswer> {
  return {
    version: version.version,
    format: version.format,
    message: version.message,
    rolled_back_to: version.rolledBackTo,
    rules: version.rules,
    created_by: version.createdBy,
    created_at: version.createdAt,
  };
}

export function presentPolicy(version: FullPolicyVersion): AnswerBody<typeof PolicyAnswer> {
  return { ...presentVersion(version), document: version.document, text: version.text };
}

/** Returns the `ETag` header, whose value a client sends as `If-Match` with its next change. */
export function tagVersion({ version }: Pick<PolicyVersion, 'version'>): Readonly<Record<string, string>> {
  return { ETag: `"${version}"` };
}

/** Returns the document as it was applied, byte for byte. */
export function sendText(version: FullPolicyVersion): SourceAnswer {
  const bytes = Buffer.from(version.text);
  const headers = { 'Content-Type': 'application/yaml; charset=utf-8', 'Content-Length': String(bytes.length) };
  return { status: 200, headers: { ...headers, ...tagVersion(version) }, source: Readable.from([bytes]) };
}
