import {
  AppError,
  HOSTED_SERVER_CONTEXT,
  HOSTED_SERVER_HEADER,
  HOSTED_SERVER_PATH,
  type HostedServer,
} from '@steward/contracts';
import type { SecretBox } from '@steward/crypto';
import type { ToolServerTarget } from '@steward/mcp-client';
import { openTarget, type OpenedTarget } from '../../catalogue/operations/open-target.ts';
import { readProgramAddress } from '../rules/program-address.ts';
import { type ServerTarget } from '../../catalogue/tool.ts';

export interface ReachDeps {
  readonly secretBoxes: {
    readonly toolServer: Pick<SecretBox, 'open'>;
    /** Encrypts data for flow workers. */
    readonly flowAgent: Pick<SecretBox, 'seal'>;
  };
  readonly settings: { readonly toolServerHostUrl: string | undefined };
}

type Reached = OpenedTarget & Pick<ToolServerTarget, 'isProgram'>;

/**
 * Time in milliseconds within which a hosted program must start after the request; afterwards it is not started for
 * this request.
 */
const LASTS_MS = 60_000;

/**
 * Returns the address and headers of a server: for a program, those of the flow worker that runs it; the worker
 * receives the command with each request.
 */
export function openReached({ secretBoxes, settings }: ReachDeps, target: ServerTarget): Reached {
  const opened = openTarget(target, secretBoxes.toolServer);
  const program = readProgramAddress(opened.url);
  if (program === undefined) return opened;
  const { toolServerHostUrl: hostUrl } = settings;
  if (hostUrl === undefined)
    throw new AppError('provider_unreachable', {
      message: `The tool server ${target.name} is a program, and this deployment does not run programs (TOOL_SERVER_HOST_URL).`,
    });
  const hosted: HostedServer = {
    ...program,
    key: `${target.accountId}/${target.id} ${target.targetVersion}`,
    expires_at: Date.now() + LASTS_MS,
  };
  const sealed = secretBoxes.flowAgent.seal(JSON.stringify(hosted), HOSTED_SERVER_CONTEXT);
  return {
    url: `${hostUrl}${HOSTED_SERVER_PATH}`,
    headers: { [HOSTED_SERVER_HEADER]: sealed.toString('base64') },
    isProgram: true,
  };
}
