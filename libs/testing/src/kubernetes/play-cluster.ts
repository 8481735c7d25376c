import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTestCertificates } from '../test-certificates.ts';
import { playPod, type PlayedPod, type PlayedPodSpec } from './played-pod.ts';

export interface PlayedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly object[];
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface PlayedCluster {
  /** Environment variables that make a flow worker use the cluster. */
  readonly environment: Readonly<Record<string, string>>;
  /** Objects that were created, in their current state, including removed ones. */
  readonly created: readonly PlayedObject[];
  /** Method and path of every request. */
  readonly requests: readonly string[];
  listPods(executionId: string): readonly PlayedPod[];
  /** Closes all connections that follow a log. */
  cutLogs(): void;
  stop(): Promise<void>;
}

const NAMESPACE = 'steward';
const TOKEN = 'played-token-of-a-service-account';

type Answer = { readonly status: number; readonly body: object } | undefined;

/**
 * Simulates the API of a Kubernetes cluster with one node, for jobs, pods, their logs and network policies, over TLS.
 *
 * @param volume - Folder that is used as the volume of all volume claims.
 */
export async function playCluster(volume: string): Promise<PlayedCluster> {
  const objects = new Map<string, PlayedObject>();
  const created: PlayedObject[] = [];
  const pods = new Map<string, PlayedPod>();
  const requests: string[] = [];
  const cuts = new Set<() => void>();
  const certificates = createTestCertificates();
  const folder = mkdtempSync(resolve(tmpdir(), 'steward-played-cluster-'));
  for (const [name, text] of Object.entries({ token: TOKEN, 'ca.crt': certificates.authority, namespace: NAMESPACE }))
    writeFileSync(resolve(folder, name), `${text}\n`);

  function change(key: string, patch: object): PlayedObject | undefined {
    const former = objects.get(key);
    if (former === undefined) return undefined;
    const { spec } = patch as { readonly spec: object };
    const object = { ...former, spec: { ...former.spec, ...spec } };
    objects.set(key, object);
    created.splice(created.indexOf(former), 1, object);
    return object;
  }

  function startPod(job: PlayedObject): void {
    const { metadata, spec } = job.spec.template as {
      metadata: { labels: Record<string, string> };
      spec: PlayedPodSpec;
    };
    const labels = { ...metadata.labels, 'batch.kubernetes.io/job-name': job.metadata.name };
    pods.set(job.metadata.name, playPod(`${job.metadata.name}-x1y2z`, labels, spec, volume));
  }

  function handle(method: string, url: URL, body: object | undefined): Answer {
    const [kind = '', name] = /(jobs|networkpolicies|pods)(?:\/([^/]+))?$/.exec(url.pathname)?.slice(1) ?? [];
    const key = `${kind}/${name ?? ''}`;
    const selector = url.searchParams.get('labelSelector') ?? '';
    if (method === 'GET' && kind === 'pods')
      return found({ items: [...pods.values()].filter(matches(selector)).map(describePod) });
    if (method === 'GET')
      return found({
        items: [...objects.values()].filter((one) => one.kind === 'Job' && matches(selector)(one.metadata)),
      });
    if (method === 'POST') {
      const given = body as PlayedObject;
      const path = `${kind}/${given.metadata.name}`;
      if (objects.has(path)) return refused(409, `${path} already exists`);
      const object = { ...given, metadata: { ...given.metadata, uid: randomUUID() } };
      objects.set(path, object);
      created.push(object);
      return { status: 201, body: object };
    }
    if (method === 'PATCH') {
      const changed = change(key, body ?? {});
      if (changed === undefined) return refused(404, `${key} not found`);
      if (kind === 'jobs' && changed.spec.suspend === false && !pods.has(name ?? '')) startPod(changed);
      return found(changed);
    }
    if (!objects.delete(key)) return refused(404, `${key} not found`);
    // Kubernetes also removes the objects owned by the job.
    objects.delete(`networkpolicies/${name ?? ''}`);
    pods.get(name ?? '')?.kill();
    pods.delete(name ?? '');
    return found({ kind: 'Status', status: 'Success' });
  }

  function follow(url: URL, response: ServerResponse): void {
    const pod = [...pods.values()].find(({ name }) => url.pathname.endsWith(`/pods/${name}/log`));
    if (pod === undefined) return send(response, refused(404, 'pod not found'));
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.flushHeaders();
    const release = pod.log.follow(
      url.searchParams.get('sinceTime') ?? undefined,
      (line) => void response.write(line),
      () => response.end(),
    );
    const cut = (): void => void response.destroy();
    cuts.add(cut);
    response.once('close', () => {
      release();
      cuts.delete(cut);
    });
  }

  const server = createServer(certificates.issue('127.0.0.1'), (request, response) => {
    const url = new URL(request.url ?? '/', 'https://cluster');
    requests.push(`${request.method} ${url.pathname}`);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return send(response, refused(401, 'Unauthorized'));
    if (url.pathname.endsWith('/log')) return follow(url, response);
    readBody(request).then(
      (body) => send(response, handle(request.method ?? '', url, body)),
      () => send(response, refused(400, 'no JSON')),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: {
      FLOW_KUBERNETES_API_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      FLOW_RUNNER: 'kubernetes',
      FLOW_KUBERNETES_CLAIM: 'steward-work',
      FLOW_KUBERNETES_CREDENTIALS: folder,
    },
    created,
    requests,
    listPods: (executionId) => [...pods.values()].filter(({ labels }) => labels['steward.execution'] === executionId),
    cutLogs: () => cuts.forEach((cut) => cut()),
    async stop() {
      for (const pod of pods.values()) pod.kill();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function describePod(pod: PlayedPod): object {
  return { metadata: { name: pod.name, labels: pod.labels }, status: pod.readStatus() };
}

function matches(selector: string) {
  const pairs = selector.split(',').map((pair) => pair.split('='));
  return ({ labels }: { readonly labels: Readonly<Record<string, string>> }): boolean =>
    pairs.every(([key = '', value]) => labels[key] === value);
}

function found(body: object): Answer {
  return { status: 200, body };
}

function refused(status: number, message: string): Answer {
  return { status, body: { kind: 'Status', status: 'Failure', message } };
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer?.body ?? {}));
}

async function readBody(request: IncomingMessage): Promise<object | undefined> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const text = Buffer.concat(parts).toString();
  return text === '' ? undefined : (JSON.parse(text) as object);
}
