import { ok } from 'node:assert/strict';
import type { Checks } from './checks.ts';
import { createComposeProject, IMAGE_VERSION } from './compose-project.ts';
import { docker } from './docker.ts';
import { APPS } from '../workspace.ts';

/** Builds all six images with the compose file. */
export async function buildImages(checks: Checks): Promise<void> {
  const project = await createComposeProject('steward-check-build');
  try {
    await checks.check('images', 'docker compose build creates every image', async () => {
      await project.compose('--profile', 'tools', 'build', '--quiet');
    });
    for (const app of [...APPS, 'migrate']) {
      await checks.check('images', `steward/${app} has labels, a numeric user and an init`, () => checkImage(app));
    }
  } finally {
    await project.remove();
  }
}

async function checkImage(app: string): Promise<string> {
  const [image] = JSON.parse(await docker('image', 'inspect', `steward/${app}:${IMAGE_VERSION}`)) as {
    Size: number;
    Config: { User: string; Entrypoint: string[]; Labels: Record<string, string> };
  }[];
  ok(image);
  ok(image.Config.User === '1000:1000', `user ${image.Config.User}`);
  ok(image.Config.Entrypoint[0] === 'tini', `entry point ${image.Config.Entrypoint.join(' ')}`);
  ok(image.Config.Labels['org.opencontainers.image.title'] === `steward/${app}`, 'no title label');
  return `${Math.round(image.Size / 1e6)} MB`;
}
