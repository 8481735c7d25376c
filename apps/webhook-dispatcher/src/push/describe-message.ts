import type { Notice } from '../notices/notice.ts';

/** Push services accept 4,096 bytes, of which the encryption takes 103 (RFC 8291). */
export const MAX_MESSAGE_BYTES = 3993;

/**
 * Describes what the service worker shows; a message replaces the previous one with the same tag. The facts of the
 * message are shortened to the size that push services accept: agents choose the text, and an overlong text would
 * otherwise prevent the notice.
 */
export function describeMessage(tag: string, { title, facts, path }: Notice): string {
  const characters = [...facts.map(([label, value]) => `${label}: ${value}`).join('\n')];
  const describe = (kept: number): string => {
    const body = characters.slice(0, kept).join('');
    return JSON.stringify({ title, body: kept < characters.length ? `${body}…` : body, path, tag });
  };
  let kept = characters.length;
  let message = describe(kept);
  while (kept > 0 && Buffer.byteLength(message) > MAX_MESSAGE_BYTES) {
    kept = Math.floor(kept * 0.95);
    message = describe(kept);
  }
  return message;
}
