/** A workspace file in the format that a trigger accepts. */
export interface WorkspaceFile {
  readonly path: string;
  readonly content_base64: string;
}

const MAX_FILES = 50;
const MAX_CHARACTERS = 98_304;
const MAX_ALL_CHARACTERS = 1_048_576;

/**
 * Returns the selected files in the format of the request. @throws Error if a limit is exceeded or a file cannot be
 * read
 */
export async function readFiles(files: readonly File[]): Promise<WorkspaceFile[]> {
  if (files.length > MAX_FILES)
    throw new Error(`At most ${MAX_FILES} files are allowed; ${files.length} were selected.`);
  const sizes = files.map(({ size }) => Math.ceil(size / 3) * 4);
  for (const [index, characters] of sizes.entries())
    if (characters > MAX_CHARACTERS)
      throw new Error(`${files[index]?.name} is larger than ${(MAX_CHARACTERS / 4) * 3} bytes.`);
  if (sizes.reduce((sum, size) => sum + size, 0) > MAX_ALL_CHARACTERS)
    throw new Error(`The files together are larger than ${(MAX_ALL_CHARACTERS / 4) * 3} bytes.`);
  return Promise.all(files.map(async (file) => ({ path: file.name, content_base64: await encode(file) })));
}

/** Encodes a file in base64, by means of a data URL that the browser creates. */
function encode(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
