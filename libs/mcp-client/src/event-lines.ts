/**
 * A stream of server-sent events with the data of each changed as the caller says; what else stands in an event is left alone, and
 * lines end as `\n`. One that ends without its last blank line has its last event.
 * @param change - Undefined: as it is
 */
export function changeEvents(change: (data: string) => string | undefined): TransformStream<string, string> {
  const parts: string[] = [];
  let event: string[] = [];
  let endsInReturn = false;
  const addLine = (line: string, controller: TransformStreamDefaultController<string>): void => {
    if (line !== '') event.push(line);
    else if (event.length > 0) {
      controller.enqueue(`${changeEvent(event, change).join('\n')}\n\n`);
      event = [];
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      // Of a line end that was cut.
      const text = endsInReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
      if (chunk !== '') endsInReturn = chunk.endsWith('\r');
      const lines = text.split(/\r\n|\r|\n/);
      const rest = lines.pop() ?? '';
      for (const line of lines) {
        parts.push(line);
        addLine(parts.splice(0).join(''), controller);
      }
      parts.push(rest);
    },
    flush(controller) {
      addLine(parts.splice(0).join(''), controller);
      addLine('', controller);
    },
  });
}

const DATA = /^data(?:: ?|$)/;

function changeEvent(lines: readonly string[], change: (data: string) => string | undefined): readonly string[] {
  const data = lines.filter((line) => DATA.test(line)).map((line) => line.replace(DATA, ''));
  if (data.length === 0) return lines;
  const changed = change(data.join('\n'));
  return changed === undefined ? lines : [...lines.filter((line) => !DATA.test(line)), `data: ${changed}`];
}
