/**
 * For a test file: captures everything the process writes, from before its app starts until after it has ended.
 * Must be called before everything else.
 */
export function captureOutput(): () => string {
  const write = process.stdout.write.bind(process.stdout);
  let output = '';
  beforeAll(() => {
    process.stdout.write = (chunk: string | Uint8Array): boolean => {
      output += chunk.toString();
      return true;
    };
  });
  afterAll(() => {
    process.stdout.write = write;
  });
  return () => output;
}
