/** A tool of a built-in agent in its workspace (EXEC-24). */
export type WorkspaceTool = 'read_file' | 'write_file' | 'list_files' | 'run_shell';
