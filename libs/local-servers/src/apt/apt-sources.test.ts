import { findDebianArchive, parseDeb822, parseOneLine } from './apt-sources.ts';

const DEB822 = `Types: deb
# a comment
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main

Types: deb-src
URIs: http://sources.example/debian
Suites: bookworm

Types: deb
Enabled: no
URIs: http://off.example/debian
Suites: bookworm
`;

describe('apt configuration', () => {
  it('reads stanzas, except those of source packages and disabled ones', () => {
    expect(parseDeb822(DEB822)).toEqual([
      { uri: 'http://mirror.example/debian', signedBy: '/usr/share/keyrings/debian-archive-keyring.gpg' },
      { uri: 'http://mirror.example/debian-security', signedBy: undefined },
    ]);
  });

  it('reads one-line entries with and without options', () => {
    const text =
      'deb [arch=amd64 signed-by=/etc/apt/k.gpg] https://m.example/debian bookworm main\n# deb x y z\ndeb http://v.example/apt stable main\ndeb-src http://s.example/debian bookworm main\n';
    expect(parseOneLine(text)).toEqual([
      { uri: 'https://m.example/debian', signedBy: '/etc/apt/k.gpg' },
      { uri: 'http://v.example/apt', signedBy: undefined },
    ]);
  });

  it('uses the distribution’s main archive, not its security archive or the archive of a vendor', () => {
    const archives = [...parseOneLine('deb http://v.example/apt stable main'), ...parseDeb822(DEB822).reverse()];
    expect(findDebianArchive(archives)?.uri).toBe('http://mirror.example/debian');
    expect(findDebianArchive([{ uri: 'http://v.example/ubuntu', signedBy: undefined }])).toBeUndefined();
  });
});
