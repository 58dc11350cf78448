import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { programNamed } from '../../tools/installed-programs.ts'
import { DOCUMENTED_HOST, documentedProxy, documentedSignIn, replaced, type ProxyName, type ProxyPlace } from './documented-proxies.ts'
import { siteCertificate } from './local-certificate.ts'

/** The folder of one proxy, its port, and where the hub is: `127.0.0.1:PORT` or the path of a socket. */
type Site = { readonly folder: string; readonly port: number; readonly hub: string }
type Started = { readonly config: string; readonly file: string; readonly args: (file: string) => readonly string[] }

const hubIn = (place: ProxyPlace, hub: string) => ({ [place === 'socket' ? '/run/vedette/hub.sock' : '127.0.0.1:8090']: hub })

/** Each proxy with its documented configuration, and what a machine's own main configuration would add. */
const starts: Readonly<Record<ProxyName, (config: string, site: Site) => Started>> = {
  nginx: (config, { folder, port }) => ({
    file: 'nginx.conf',
    args: (file) => ['-p', folder, '-c', file],
    config: `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events { worker_connections 512; }
http {
access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
${replaced(config, {
  'listen 443': `listen 127.0.0.1:${port}`,
  '/etc/ssl/vedette/certificate.pem': `${folder}/certificate.pem`,
  '/etc/ssl/vedette/key.pem': `${folder}/key.pem`,
})}}`,
  }),
  HAProxy: (config, { folder, port }) => ({
    file: 'haproxy.cfg',
    args: (file) => ['-db', '-f', file],
    config: replaced(config, { 'bind :443': `bind 127.0.0.1:${port}`, '/etc/haproxy/vedette.pem': `${folder}/both.pem` }),
  }),
  Caddy: (config, { folder, port }) => ({
    file: 'Caddyfile',
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    config: `{
admin off
auto_https disable_redirects
storage file_system ${folder}/storage
}
${replaced(config, { [`${DOCUMENTED_HOST} {`]: `${DOCUMENTED_HOST}:${port} {\nbind 127.0.0.1\ntls ${folder}/certificate.pem ${folder}/key.pem` })}`,
  }),
  Traefik: (config, { folder, port }) => ({
    file: 'vedette.yml',
    args: (file) => [
      `--entrypoints.websecure.address=127.0.0.1:${port}`,
      `--providers.file.filename=${file}`,
      '--global.checknewversion=false',
    ],
    config: `${config}tls:\n  certificates:\n    - certFile: ${folder}/certificate.pem\n      keyFile: ${folder}/key.pem\n`,
  }),
}

/** The installed program of a proxy; undefined on a machine that has none. */
export const proxyProgram = (name: ProxyName): string | undefined => programNamed(name.toLowerCase())

/** The real program of a proxy with its documented configuration, on 127.0.0.1 with {@link siteCertificate}. */
export async function startProxy(name: ProxyName, place: ProxyPlace, { port, hub }: Omit<Site, 'folder'>): Promise<AsyncDisposable> {
  const documented = documentedProxy(name, place)
  if (documented === undefined) throw new Error(`There is no ${name} for "${place}"`)
  return startWith(name, replaced(documented, hubIn(place, hub)), { port, hub })
}

/** An nginx with the documented lines for sign-in by a header. `signIn`: host and port of the program that signs users in. */
export const startSignInProxy = (signIn: string, { port, hub }: Omit<Site, 'folder'>): Promise<AsyncDisposable> =>
  startWith('nginx', replaced(documentedSignIn(), { ...hubIn('root', hub), '127.0.0.1:9091': signIn }), { port, hub })

async function startWith(name: ProxyName, text: string, { port, hub }: Omit<Site, 'folder'>): Promise<AsyncDisposable> {
  const program = proxyProgram(name)
  if (program === undefined) throw new Error(`There is no ${name}`)
  const folder = mkdtempSync(join(tmpdir(), `vedette-${name.toLowerCase()}-`))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'storage'), { mode: 0o777 })
  writeFileSync(join(folder, 'certificate.pem'), siteCertificate.cert)
  writeFileSync(join(folder, 'key.pem'), siteCertificate.key)
  writeFileSync(join(folder, 'both.pem'), siteCertificate.cert + siteCertificate.key)
  const { config, file, args } = starts[name](text, { folder, port, hub })
  writeFileSync(join(folder, file), config)
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, args(join(folder, file)), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`${name} ended: ${said}\n${config}`)))
  failed.catch(() => {})
  await Promise.race([accepts(port), failed])
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when a server accepts connections on the port. */
async function accepts(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (connected) return
    await turn()
  }
}
