/** One binary archive of the machine's apt configuration. */
export interface AptArchive {
  readonly uri: string;
  readonly signedBy: string | undefined;
}

/** Parses a deb822 file (`*.sources`): stanzas of `Key: value` lines. */
export function parseDeb822(text: string): AptArchive[] {
  return text.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = readFields(stanza);
    const types = (fields.get('types') ?? '').split(/\s+/);
    if (!types.includes('deb') || fields.get('enabled')?.toLowerCase() === 'no') return [];
    return (fields.get('uris') ?? '')
      .split(/\s+/)
      .filter((uri) => uri !== '')
      .map((uri) => ({ uri, signedBy: fields.get('signed-by') }));
  });
}

function readFields(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of stanza.split('\n')) {
    const match = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
    if (match?.[1] !== undefined) fields.set(match[1].toLowerCase(), (match[2] ?? '').trim());
  }
  return fields;
}

/** Parses a file in the one-line format (`*.list`): each line is `deb [options] uri suite component...`. */
export function parseOneLine(text: string): AptArchive[] {
  return text.split('\n').flatMap((line) => {
    const match = /^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+\S+/.exec(line.trim());
    if (match?.[2] === undefined) return [];
    return [{ uri: match[2], signedBy: /signed-by=(\S+)/.exec(match[1] ?? '')?.[1] }];
  });
}

/**
 * Returns the archive of the distribution itself: the archive that serves `/debian`, not the security archive or the
 * archive of a vendor.
 */
export function findDebianArchive(archives: readonly AptArchive[]): AptArchive | undefined {
  return archives.find(({ uri }) => /\/debian\/?$/.test(uri) && !uri.includes('security'));
}
