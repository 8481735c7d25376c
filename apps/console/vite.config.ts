import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const API_URL = process.env.STEWARD_API_URL ?? 'http://127.0.0.1:8000';

/**
 * Paths that the API port serves itself; addresses of screens are not among them. `/approvals` and `/flows` are
 * screens.
 */
const OF_THE_API = [
  '/api',
  '/mcp',
  '/openai',
  '/anthropic',
  '/otlp',
  '/webhooks',
  '/cli',
  '/sdk',
  '/docs/api',
  '^/approval/',
  '^/flows/[^/]+/trigger$',
];

const FIRST_THEME = 'src/theme/first-theme.js';

/**
 * Adds the script that sets the theme before the first paint, as a separate file: the page's content security policy
 * does not allow inline scripts.
 */
function addFirstTheme(): Plugin {
  const name = 'first-theme.js';
  return {
    name: 'first-theme',
    buildStart() {
      if (this.environment.mode !== 'build') return;
      this.emitFile({ type: 'asset', name, source: readFileSync(resolve(import.meta.dirname, FIRST_THEME)) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const built = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(name));
        return [{ tag: 'script', attrs: { src: `/${built?.fileName ?? FIRST_THEME}` }, injectTo: 'head' }];
      },
    },
  };
}

const ICONS = [
  { file: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { file: 'icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const;
const TOUCH_ICON = 'icon-180.png';

/** Makes the console installable: the manifest with its icons, which have names of their content like every file. */
function addManifest(): Plugin {
  const name = 'manifest.webmanifest';
  return {
    name: 'web-app-manifest',
    generateBundle() {
      const emitIcon = (file: string): string => {
        const source = readFileSync(resolve(import.meta.dirname, 'src/push', file));
        return `/${this.getFileName(this.emitFile({ type: 'asset', name: file, source }))}`;
      };
      emitIcon(TOUCH_ICON);
      const manifest = {
        name: 'Steward',
        short_name: 'Steward',
        id: '/',
        start_url: '/overview',
        scope: '/',
        display: 'standalone',
        background_color: '#ffffff',
        theme_color: '#1f4fd1',
        icons: ICONS.map(({ file, ...icon }) => ({ src: emitIcon(file), type: 'image/png', ...icon })),
      };
      this.emitFile({ type: 'asset', name, source: JSON.stringify(manifest) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const find = (each: string): string | undefined =>
          Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(each))?.fileName;
        const [manifest, icon] = [find(name), find(TOUCH_ICON)];
        if (manifest === undefined || icon === undefined) return [];
        return [
          { tag: 'link', attrs: { rel: 'manifest', href: `/${manifest}` }, injectTo: 'head' as const },
          { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `/${icon}` }, injectTo: 'head' as const },
        ];
      },
    },
  };
}

const COMPRESSED = ['.js', '.css', '.svg', '.jsonl'];

/** Creates the compressed files of the site once, because the gateway does not compress anything. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSED.includes(extname(name)));
      await Promise.all(
        names.map(async (name) => {
          const file = resolve(dir, name);
          const bytes = await readFile(file);
          await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
          await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}

const TRANSCRIPT = resolve(import.meta.dirname, '../../tools/demo/transcript.jsonl');

/** Provides the transcript in the repository as a file of the site. */
function addDemoTranscript(): Plugin {
  return {
    name: 'demo-transcript',
    resolveId: (id) => (id === 'virtual:demo-transcript' ? `${TRANSCRIPT}?url` : undefined),
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), addFirstTheme(), addManifest(), addDemoTranscript(), compressAssets()],
  build: {
    // The target is next to the gateway's bundle, where the gateway looks for it.
    outDir: '../../dist/apps/api-gateway/console',
    emptyOutDir: true,
    target: 'es2023',
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // The console, and the webhook portal that other sites embed.
    rolldownOptions: { input: ['index.html', 'portal.html'].map((file) => resolve(import.meta.dirname, file)) },
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(OF_THE_API.map((path) => [path, { target: API_URL }])),
  },
});
