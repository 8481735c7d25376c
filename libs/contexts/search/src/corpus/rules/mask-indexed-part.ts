/*
 * Has its own package entry (`@steward/search/mask-indexed-part`): a thread that renders large content also masks it,
 * and must not load a database client.
 */
import { findCredentials, type Credential } from '@steward/masking';
import { stripTerminalCodes } from '../../words/index-words.ts';
import { CHUNK_LENGTH, MAX_CHUNKS } from './split-into-chunks.ts';

/**
 * Length of text read from each end: twice what fits into the chunks of this end, so that enough remains after masking.
 */
export const END_LENGTH = MAX_CHUNKS * CHUNK_LENGTH;

const LONGEST_CREDENTIAL = 8192;

/** The part of a text that may be indexed. */
export interface IndexedPart {
  /** All of it, or its head directly followed by its tail. */
  readonly text: string;
  /** Start of the tail after the omitted middle; undefined for a complete text. */
  readonly gapAt: number | undefined;
}

export interface MaskedPart extends IndexedPart {
  readonly credentials: readonly Credential[];
  /** Whether anything was masked in it. */
  readonly isMasked: boolean;
}

/** The part of a text that may be indexed, without its credentials, in the form of `ChunkSource.masked`. */
export function maskIndexedPart(text: string): MaskedPart {
  const most = END_LENGTH + LONGEST_CREDENTIAL;
  if (text.length <= 2 * most) {
    const whole = mask(text);
    return { text: whole.text, gapAt: undefined, credentials: whole.credentials, isMasked: whole.isMasked };
  }
  // Both are slightly longer than the part that is retained, so that no credential is truncated and missed.
  const [head, tail] = [mask(text.slice(0, most)), mask(text.slice(-most))];
  const kept = head.text.slice(0, -LONGEST_CREDENTIAL);
  return {
    text: kept + tail.text.slice(LONGEST_CREDENTIAL),
    gapAt: kept.length,
    credentials: [...head.credentials, ...tail.credentials],
    isMasked: head.isMasked || tail.isMasked,
  };
}

/** Terminal codes are removed first: one inside a credential would hide it. */
function mask(text: string): Omit<MaskedPart, 'gapAt'> {
  const plain = stripTerminalCodes(text);
  const masked = findCredentials(plain);
  return { ...masked, isMasked: masked.text !== plain };
}
