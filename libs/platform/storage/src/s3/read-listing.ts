export interface Listing {
  /** Objects of the page; their keys include the prefix configured for the store. */
  readonly objects: readonly { readonly key: string; readonly lastModified: Date }[];
  readonly isTruncated: boolean;
}

/**
 * Reads the response to ListObjectsV2 with `encoding-type=url`. An XML parser is not needed: the response is
 * machine-generated, each element is read by its name, and our keys contain no character that XML escapes.
 */
export function readListing(xml: string): Listing {
  // The encoding is read from the response, because servers that do not support `encoding-type` omit the element
  // `EncodingType`.
  const decode = readElement(xml, 'EncodingType') === 'url' ? decodeKey : (key: string) => key;
  const objects = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].flatMap(([, content = '']) => {
    const key = readElement(content, 'Key');
    const lastModified = new Date(readElement(content, 'LastModified') ?? '');
    return key === undefined || Number.isNaN(lastModified.getTime()) ? [] : [{ key: decode(key), lastModified }];
  });
  return { objects, isTruncated: readElement(xml, 'IsTruncated') === 'true' };
}

/** Returns the text content of the first element with this name. */
export function readElement(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}
