/*
 * Behind a door of its own (`@steward/slice-search/mask-indexed-part`): a thread that renders large content masks it too, and
 * carries no database client.
 */
import { findCredentials, type MaskedText } from '@steward/masking';
import { stripTerminalCodes } from '../../words/index-words.ts';
import { CHUNK_LENGTH, MAX_CHUNKS } from './split-into-chunks.ts';

/** Text that is looked at: twice what fits into the chunks of a source, so that masked passages leave enough. */
export const INDEXED_LENGTH = 2 * MAX_CHUNKS * CHUNK_LENGTH;

const LONGEST_CREDENTIAL = 8192;

/**
 * The part of a text that may be indexed, and a little more, so that no credential is cut in half and passes. Without the codes
 * of terminals: one inside of a credential would hide it.
 */
export function cutIndexedPart(text: string): string {
  return stripTerminalCodes(text.slice(0, INDEXED_LENGTH + LONGEST_CREDENTIAL));
}

/** That part without its credentials, as `ChunkSource.masked` takes it. */
export function maskIndexedPart(text: string): MaskedText {
  return findCredentials(cutIndexedPart(text));
}
