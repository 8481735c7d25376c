/*
 * A separate package entry point (`@steward/search/mask-indexed-part`): a thread that renders large content also masks
 * it, and must not load a database client.
 */
import { findCredentials, type Credential } from '@steward/masking';
import { stripTerminalCodes } from '../../words/index-words.ts';
import { CHUNK_LENGTH, MAX_CHUNKS } from './split-into-chunks.ts';

/**
 * Number of characters that are used from each end of a long text: twice as many as fit into the chunks of this end, so
 * that enough remains after masking.
 */
export const END_LENGTH = MAX_CHUNKS * CHUNK_LENGTH;

const LONGEST_CREDENTIAL = 8192;

/** The part of a text that may be indexed. */
export interface IndexedPart {
  /** The whole text, or its head directly followed by its tail. */
  readonly text: string;
  /** Start of the tail after the omitted middle; undefined if nothing is omitted. */
  readonly gapAt: number | undefined;
}

export interface MaskedPart extends IndexedPart {
  readonly credentials: readonly Credential[];
  /** Whether a part of the text was masked. */
  readonly isMasked: boolean;
}

/** Returns the part of a text that may be indexed, without its credentials, as used in `ChunkSource.masked`. */
export function maskIndexedPart(text: string): MaskedPart {
  const most = END_LENGTH + LONGEST_CREDENTIAL;
  if (text.length <= 2 * most) {
    const whole = mask(text);
    return { text: whole.text, gapAt: undefined, credentials: whole.credentials, isMasked: whole.isMasked };
  }
  // Head and tail are longer than the parts that are retained, so that a credential at the cut is still found as a
  // whole.
  const [head, tail] = [mask(text.slice(0, most)), mask(text.slice(-most))];
  const kept = head.text.slice(0, -LONGEST_CREDENTIAL);
  return {
    text: kept + tail.text.slice(LONGEST_CREDENTIAL),
    gapAt: kept.length,
    credentials: [...head.credentials, ...tail.credentials],
    isMasked: head.isMasked || tail.isMasked,
  };
}

/**
 * Masks the credentials of a text. Terminal escape codes are removed first, since a code inside a credential would hide
 * the credential.
 */
function mask(text: string): Omit<MaskedPart, 'gapAt'> {
  const plain = stripTerminalCodes(text);
  const masked = findCredentials(plain);
  return { ...masked, isMasked: masked.text !== plain };
}
