/** Matches fields of an event that are used in addition to its data; the last occurrence of each applies. */
const KEPT = /^(id|event|retry)(?::|$)/;
const DATA = /^data(?:: ?|$)/;

/**
 * Transforms a stream of server-sent events: the caller changes the data of each event; in the output, lines end with
 * `\n`, and comments and unknown fields are omitted. The last event is emitted even if the stream does not end with a
 * blank line.
 * @param change - returns the new data; undefined keeps it
 * @param noteId - receives the id of each event
 */
export function changeEvents(
  change: (data: string) => string | undefined,
  noteId: (id: string) => void,
): TransformStream<string, string> {
  const parts: string[] = [];
  let fields: Record<string, string> = {};
  let data: string | undefined;
  let endsInReturn = false;
  const addLine = (line: string, controller: TransformStreamDefaultController<string>): void => {
    if (line === '') return endEvent(controller);
    const kept = KEPT.exec(line)?.[1];
    if (kept !== undefined) fields[kept] = line;
    if (kept === 'id') noteId(line.replace(/^id:? ?/, ''));
    if (DATA.test(line)) data = (data === undefined ? '' : `${data}\n`) + line.replace(DATA, '');
  };
  const endEvent = (controller: TransformStreamDefaultController<string>): void => {
    const lines = Object.values(fields);
    if (data !== undefined) lines.push(...(change(data) ?? data).split('\n').map((line) => `data: ${line}`));
    if (lines.length > 0) controller.enqueue(`${lines.join('\n')}\n\n`);
    fields = {};
    data = undefined;
  };
  return new TransformStream({
    transform(chunk, controller) {
      // The second half of a line break that was split between two chunks is dropped.
      const text = endsInReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
      if (chunk !== '') endsInReturn = chunk.endsWith('\r');
      const lines = text.split(/\r\n|\r|\n/);
      const rest = lines.pop() ?? '';
      for (const line of lines) {
        parts.push(line);
        addLine(parts.splice(0).join(''), controller);
      }
      if (rest !== '') parts.push(rest);
    },
    flush(controller) {
      addLine(parts.splice(0).join(''), controller);
      endEvent(controller);
    },
  });
}
