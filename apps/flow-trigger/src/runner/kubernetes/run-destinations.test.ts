import { readAllowedDestination } from '@steward/flows';
import type { NetworkOptions, NetworkRequest } from '../../network/run-network.ts';
import { findDestinations } from './run-destinations.ts';

const OPTIONS: NetworkOptions = {
  api: { host: 'steward-api-gateway', port: 8000 },
  operator: [readAllowedDestination('npm.internal:4873')!],
  privateCidrs: ['10.1.0.0/16'],
  endpoints: [
    { host: '192.0.2.10', port: 5432, what: 'database' },
    { host: '192.0.2.10', port: 443, what: 'database' },
  ],
};
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'steward-api-gateway': ['10.96.0.7'],
  'npm.internal': ['10.9.0.4'],
  'registry.npmjs.org': ['104.16.0.1', '2606:4700::1'],
  'git.example.com': ['10.20.0.3'],
  'inside.example.com': ['10.1.2.3'],
  'elsewhere.example.com': ['10.2.2.3'],
  'metadata.example.com': ['169.254.169.254'],
};

async function find(allow: readonly string[], more: Partial<NetworkRequest> = {}) {
  const notes: string[] = [];
  const found = await findDestinations(
    OPTIONS,
    {
      flow: allow.flatMap((text) => readAllowedDestination(text) ?? []),
      repository: undefined,
      secrets: [],
      note: (text) => void notes.push(text),
      ...more,
    },
    (host) => Promise.resolve(ADDRESSES[host] ?? []),
  );
  return { ...found, notes };
}

describe('the destinations of a pod', () => {
  it('are the addresses of the API, of the operator’s hosts and of the hosts that the flow names, under their names', async () => {
    expect(await find(['registry.npmjs.org:443', 'inside.example.com', '9.9.9.9:853'])).toEqual({
      egress: [
        { cidr: '10.96.0.7/32', ports: [8000] },
        { cidr: '10.9.0.4/32', ports: [4873] },
        { cidr: '104.16.0.1/32', ports: [443] },
        { cidr: '2606:4700::1/128', ports: [443] },
        { cidr: '10.1.2.3/32', ports: [80, 443] },
        { cidr: '9.9.9.9/32', ports: [853] },
      ],
      clone: [],
      hosts: [
        { ip: '10.96.0.7', hostnames: ['steward-api-gateway'] },
        { ip: '10.9.0.4', hostnames: ['npm.internal'] },
        { ip: '104.16.0.1', hostnames: ['registry.npmjs.org'] },
        { ip: '2606:4700::1', hostnames: ['registry.npmjs.org'] },
        { ip: '10.1.2.3', hostnames: ['inside.example.com'] },
      ],
      resolvesNames: false,
      notes: [],
    });
  });

  it.each([
    ['elsewhere.example.com:443', 'elsewhere.example.com:443 is not reached: its address is private and not in'],
    ['metadata.example.com:80', 'metadata.example.com:80 is not reached: its address is link-local'],
    ['192.0.2.10:5432', '192.0.2.10:5432 is not reached: it is the database of the service'],
    ['unknown.example.com', 'unknown.example.com is not reached: the name has no address'],
    ['*.example.com', '*.example.com is not reached: a run in a pod reaches only hosts that are named in full'],
  ])('omit %s, and the omission is reported', async (entry, note) => {
    const { egress, hosts, notes } = await find([entry]);
    expect(egress).toHaveLength(2);
    expect(hosts).toHaveLength(2);
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  it('include the server of a repository for its clone, even a private one, but no metadata service', async () => {
    const { clone } = await find([], { repository: { host: 'git.example.com', port: 443 } });
    expect(clone).toEqual([{ cidr: '10.20.0.3/32', ports: [443] }]);
    expect((await find([], { repository: { host: 'metadata.example.com', port: 80 } })).clone).toEqual([]);
  });

  it('for * are all public addresses except those of the service, and the DNS servers', async () => {
    const { egress, resolvesNames } = await find(['*']);
    const [ipv4, ipv6, ...dns] = egress.slice(2);
    expect(ipv4).toMatchObject({ cidr: '0.0.0.0/0', ports: [80, 443] });
    expect(ipv4?.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.0.2.10/32']));
    expect(ipv6).toMatchObject({ cidr: '::/0' });
    expect(dns.map(({ ports, protocols }) => [ports, protocols])).toEqual([
      [[53], ['UDP', 'TCP']],
      [[53], ['UDP', 'TCP']],
    ]);
    expect(resolvesNames).toBe(true);
  });
});
