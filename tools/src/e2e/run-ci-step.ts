import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bareEnvironment } from '@steward/testing';
import type { CiStep } from './ci-snippets.ts';

interface Ended {
  readonly code: number | null;
  readonly trace: string;
}

export interface RunningStep {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Returns the output so far. */
  trace(): string;
}

export interface JobRunner {
  /** Creates a job folder that contains only one file to attach. */
  createWorkspace(): string;
  /** Runs a step's script from a file, with the bash options that the CI system uses. */
  start(step: CiStep, cwd: string, variables: Record<string, string>, args?: readonly string[]): RunningStep;
  killAll(): void;
}

/** Runs the steps of CI jobs in a folder. */
export function createJobRunner(folder: string): JobRunner {
  const children = new Set<ChildProcess>();

  function createWorkspace(): string {
    const workspace = mkdtempSync(join(folder, 'job-'));
    mkdirSync(join(workspace, 'in'));
    writeFileSync(join(workspace, 'in/note.txt'), 'a note from the job\n');
    writeFileSync(join(workspace, 'event.json'), '{"ref":"refs/heads/main"}');
    return workspace;
  }

  function start(step: CiStep, cwd: string, variables: Record<string, string>, args: readonly string[] = []) {
    const script = join(cwd, '.step.sh');
    writeFileSync(script, step.script);
    const { PATH, ...bare } = bareEnvironment();
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script, ...args], {
      cwd,
      env: {
        ...bare,
        PATH: `${resolve(process.execPath, '..')}:${PATH}`,
        HOME: cwd,
        ...step.variables,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let trace = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (trace += part.toString()));
    const ended = new Promise<Ended>((done) =>
      child.once('close', (code) => {
        children.delete(child);
        done({ code, trace });
      }),
    );
    return { child, ended, trace: () => trace };
  }

  return {
    createWorkspace,
    start,
    killAll() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
