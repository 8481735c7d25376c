import { constants, type Stats } from 'node:fs';
import { readdir, type FileHandle } from 'node:fs/promises';
import {
  isForeign,
  openFileIn,
  openFolderBeneath,
  openForWriting,
  placeIn,
  splitBeneath,
} from '../../workspace/open-folder.ts';
import { fail, MAX_TOOL_TEXT_BYTES, type AgentTool, type ToolContext, type ToolResult } from './tool.ts';

const PATH = { type: 'string', description: 'Path relative to the workspace, with forward slashes.' };
const MAX_WRITE_BYTES = 4 * 1024 * 1024;
const MAX_ENTRIES = 1000;

export const readFileTool: AgentTool = {
  name: 'read_file',
  description: `Reads a text file of the workspace: up to ${MAX_TOOL_TEXT_BYTES} bytes from "offset".`,
  parameters: {
    type: 'object',
    properties: {
      path: PATH,
      offset: { type: 'integer', minimum: 0, description: 'First byte to read; default 0.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  run: ({ path, offset = 0 }, context) => {
    if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0)
      return Promise.resolve(fail('"offset" must be a whole number of at least 0.'));
    return inFolder(context, path, false, async (folder, name) => {
      const handle = await openFileIn(folder, name, constants.O_RDONLY);
      return withOwnFile(handle, context, 'The path is not a file.', async ({ size }) => {
        const buffer = Buffer.alloc(Math.max(0, Math.min(MAX_TOOL_TEXT_BYTES, size - offset)));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
        const text = buffer.subarray(0, bytesRead);
        if (text.includes(0)) return fail(`The file is binary (${size} bytes).`);
        const end = offset + bytesRead;
        const note = end < size ? `\n[bytes ${offset} to ${end} of ${size}; continue with offset ${end}]` : '';
        return { kind: 'done', text: text.toString('utf8') + note };
      });
    });
  },
};

export const writeFileTool: AgentTool = {
  name: 'write_file',
  description: 'Writes a text file in the workspace, replacing an existing file; missing folders are created.',
  parameters: {
    type: 'object',
    properties: { path: PATH, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  run: ({ path, content }, context) => {
    if (typeof content !== 'string') return Promise.resolve(fail('"content" must be a string.'));
    const bytes = Buffer.from(content, 'utf8');
    if (bytes.length > MAX_WRITE_BYTES)
      return Promise.resolve(fail(`At most ${MAX_WRITE_BYTES} bytes can be written.`));
    return inFolder(context, path, true, async (folder, name) => {
      const handle = await openForWriting(folder, name, context.sandbox.owner);
      return withOwnFile(handle, context, 'Something that is not a file already exists at this path.', async () => {
        await handle.truncate(0);
        await handle.writeFile(bytes);
        return { kind: 'done', text: `Wrote ${bytes.length} bytes.` };
      });
    });
  },
};

export const listFilesTool: AgentTool = {
  name: 'list_files',
  description: 'Lists a folder of the workspace; names of folders end with a slash, those of links with @.',
  parameters: {
    type: 'object',
    properties: { path: { ...PATH, description: 'Folder relative to the workspace; default: the workspace itself.' } },
    additionalProperties: false,
  },
  run: ({ path = '.' }, context) =>
    answerErrors(async () => {
      const segments = typeof path === 'string' ? splitBeneath(path) : undefined;
      if (segments === undefined) return OUTSIDE;
      const folder = await openFolderBeneath(context.directory, segments, { create: false });
      try {
        const entries = await readdir(placeIn(folder, '.'), { withFileTypes: true });
        const names = entries
          .map((entry) => `${entry.name}${entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : ''}`)
          .sort();
        const rest = names.length > MAX_ENTRIES ? `\n[${names.length - MAX_ENTRIES} more]` : '';
        return { kind: 'done', text: names.length === 0 ? '(empty)' : names.slice(0, MAX_ENTRIES).join('\n') + rest };
      } finally {
        await folder.handle.close();
      }
    }),
};

const FOREIGN = fail('The file does not belong to this run.');
const OUTSIDE = fail('The path must be relative and stay in the workspace.');

/**
 * Calls `work` for an open file, and always closes the file. Fails if the file is not a regular file, or if its owner
 * is not the user of the run.
 */
async function withOwnFile(
  handle: FileHandle,
  { sandbox }: ToolContext,
  whenNoFile: string,
  work: (stat: Stats) => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return fail(whenNoFile);
    return isForeign(stat, sandbox.owner) ? FOREIGN : await work(stat);
  } finally {
    await handle.close();
  }
}

function inFolder(
  context: ToolContext,
  path: unknown,
  create: boolean,
  work: (folder: Awaited<ReturnType<typeof openFolderBeneath>>, name: string) => Promise<ToolResult>,
): Promise<ToolResult> {
  return answerErrors(async () => {
    const segments = typeof path === 'string' ? splitBeneath(path) : undefined;
    const name = segments?.pop();
    if (segments === undefined || name === undefined) return OUTSIDE;
    const folder = await openFolderBeneath(context.directory, segments, { create, owner: context.sandbox.owner });
    try {
      return await work(folder, name);
    } finally {
      await folder.handle.close();
    }
  });
}

/** Converts file system errors to results for the model; other errors are internal and are thrown. */
async function answerErrors(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return fail('The file or folder does not exist.');
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENOTDIR')
      return fail('The path leads through a symbolic link or a file; it was not followed.');
    if (code !== undefined) return fail(`The file system refused the operation (${code}).`);
    throw error;
  }
}
