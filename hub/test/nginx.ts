import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Debian puts it, which is on no ordinary account's path. */
const programs = ['nginx', '/usr/sbin/nginx']

/** The program, or undefined on a machine that has none. */
export const nginxProgram = (): string | undefined => programs.find((name) => spawnSync(name, ['-v']).status === 0)

export type Site = { readonly port: number; readonly proxyPass: string }

/** An nginx of its own that serves each site under `/monitor/`, with what its manual says for WebSockets and event streams. */
export async function startNginx(program: string, sites: readonly Site[]): Promise<AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-nginx-'))
  chmodSync(folder, 0o755)
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name), { mode: 0o777 })
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, sites))
  const child = spawn(program, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`nginx ended: ${said}`)))
  failed.catch(() => {})
  for (const { port } of sites) await Promise.race([answering(port), failed])
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answering(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const connected = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
      () => false,
    )
    socket.destroy()
    if (connected) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const configuration = (folder: string, sites: readonly Site[]): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
${sites
  .map(
    ({ port, proxyPass }) => `  server {
    listen 127.0.0.1:${port};
    location /monitor/ {
      proxy_pass ${proxyPass};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }
  }
`,
  )
  .join('')}}
`
