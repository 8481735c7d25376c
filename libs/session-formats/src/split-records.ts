/** Splits a text that arrives in parts into records, and buffers at most the current record. */
export interface RecordSplitter {
  /** Returns the records that this part completed. A record longer than allowed is returned once, as undefined. */
  push(part: string): (string | undefined)[];
  /** Returns the last record, which has no terminator. */
  end(): (string | undefined)[];
}

/**
 * Creates a splitter. With `lines`, each line that is not blank is a record. With `values`, each JSON value is a
 * record, in any layout; if the values are in a single top-level list, each entry of that list is a record.
 */
export function createRecordSplitter(kind: 'lines' | 'values', mostChars: number): RecordSplitter {
  const gather = createGatherer(mostChars);
  return kind === 'lines' ? splitLines(gather) : splitValues(gather);
}

interface Gatherer {
  add(text: string): void;
  /** Returns the current record, if it contains more than white space, and begins the next one. */
  take(): (string | undefined)[];
}

function createGatherer(mostChars: number): Gatherer {
  let parts: string[] = [];
  let length = 0;
  return {
    add(text) {
      length += text.length;
      if (length > mostChars) parts = [];
      else if (text !== '') parts.push(text);
    },
    take() {
      const isTooLong = length > mostChars;
      const record = parts.join('').trim();
      parts = [];
      length = 0;
      if (isTooLong) return [undefined];
      return record === '' ? [] : [record];
    },
  };
}

function splitLines(gather: Gatherer): RecordSplitter {
  return {
    push(part) {
      const records: (string | undefined)[] = [];
      let from = 0;
      for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', from)) {
        gather.add(part.slice(from, at));
        records.push(...gather.take());
        from = at + 1;
      }
      gather.add(part.slice(from));
      return records;
    },
    end: () => gather.take(),
  };
}

/**
 * Splits JSON values. Tracks only brackets, commas and strings; invalid JSON becomes a record that cannot be parsed.
 */
function splitValues(gather: Gatherer): RecordSplitter {
  let isFirst = true;
  /** Depth at which values begin and end: 1 within a top-level list, otherwise 0. */
  let base = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  /** Returns where the value ends: `after` this character, `before` it, or not yet (`inside`). */
  function follow(sign: string): 'inside' | 'after' | 'before' {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (sign === '\\') isEscaped = true;
      else if (sign === '"') isInString = false;
      return 'inside';
    }
    if (sign === '"') isInString = true;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth = Math.max(0, depth - 1);
      if (depth === base) return 'after';
      if (depth < base) return 'before';
    } else if (depth === base && sign === ',') return 'before';
    return 'inside';
  }
  return {
    push(part) {
      const records: (string | undefined)[] = [];
      let from = 0;
      for (let at = 0; at < part.length; at += 1) {
        const sign = part[at] as string;
        if (isFirst && /[\s\uFEFF]/.test(sign)) continue;
        if (isFirst) {
          isFirst = false;
          if (sign === '[') {
            base = 1;
            depth = 1;
            from = at + 1;
            continue;
          }
        }
        const place = follow(sign);
        if (place === 'inside') continue;
        gather.add(part.slice(from, place === 'after' ? at + 1 : at));
        records.push(...gather.take());
        from = at + 1;
        if (depth < base) base = depth;
      }
      gather.add(part.slice(from));
      return records;
    },
    end: () => gather.take(),
  };
}
