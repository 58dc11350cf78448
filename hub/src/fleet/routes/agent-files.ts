import { createHash } from 'node:crypto'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import type { Context } from 'hono'
import { BUILD_COMMANDS, type AgentFile, type AgentFiles } from '../enrolment/agent-files.ts'
import { installScript } from '../enrolment/install-script.ts'
import { SERVICE_UNIT } from '../enrolment/service-unit.ts'
import { RecordError } from '../../records/model/record-error.ts'
import { parseByteRange } from './byte-range.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'

/**
 * HTTP route of the files for the installation of an agent: programs, checksums, `install.sh`. It needs no account; the files contain no
 * secrets.
 */
export const readAgentFile = defineRoute('GET /agent/*', {
  tag: 'agents',
  summary: 'The agents that this hub offers, their checksums and licences, `install.sh` and the service unit; the index without a name',
  access: 'anyone',
  response: 'file',
  async handle({ c }, { agentFiles }: { readonly agentFiles: AgentFiles }) {
    const name = new URL(c.req.url).pathname.slice('/agent/'.length)
    if (name === 'vedette-agent.service') return sendText(c, SERVICE_UNIT)
    const files = await agentFiles.list()
    if (name === 'install.sh') return sendText(c, installScript(files))
    if (name === '') return c.json(indexOf(files, agentFiles), 200, { 'cache-control': 'no-cache' })
    const licensed = files.find(({ platform }) => `${platform}/licenses.txt` === name)
    const licenses = licensed === undefined ? undefined : await agentFiles.licensesOf(licensed)
    if (licenses !== undefined) return sendText(c, licenses)
    const file = files.find(({ address }) => address === name || `${address}.sha256` === name)
    if (file === undefined) throw new RecordError(404, missingFileText(files))
    if (name !== file.address) return sendText(c, `${file.sha256}  ${name.slice(name.lastIndexOf('/') + 1, -'.sha256'.length)}\n`)
    return sendFile(c, agentFiles, file)
  },
})

const indexOf = (files: readonly AgentFile[], { image, hasUpdateHint }: Pick<AgentFiles, 'image' | 'hasUpdateHint'>) => ({
  version: VEDETTE_VERSION,
  agents: files.map(({ platform, address, bytes, sha256 }) => ({ platform, address, bytes, sha256 })),
  install: { address: 'install.sh', sha256: sha256Of(installScript(files)) },
  service: SERVICE_UNIT,
  image,
  hasUpdateHint,
})

/**
 * Returns the error text for a request of a download that does not exist; it lists the existing ones. The requested name is not quoted,
 * because the text is logged.
 */
function missingFileText(files: readonly AgentFile[]): string {
  const there =
    files.length === 0
      ? `it was built without an agent: run ${BUILD_COMMANDS} beside it`
      : `it has ${files.map(({ address }) => address).join(', ')}`
  return `This hub has no such file; ${there}.`
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Returns the HTTP headers `cache-control: no-cache` and `etag` of a download. Clients revalidate by the ETag each time, because the agent
 * may have been rebuilt.
 */
const headersOf = (sha256: string): Readonly<Record<string, string>> => ({ 'cache-control': 'no-cache', etag: `"${sha256}"` })

function sendText(c: Context<RequestContext>, text: string): Response {
  const headers = headersOf(sha256Of(text))
  if (c.req.header('if-none-match') === headers['etag']) return c.body(null, 304, headers)
  return c.body(text, 200, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
}

/**
 * Resolves to the response that streams an agent program, or a byte range of it, from disk. It is 304 if the client has this file, 416 for
 * a range beyond its end. Throws 503 if a build replaced the file after its checksum was computed.
 */
async function sendFile(c: Context<RequestContext>, agentFiles: AgentFiles, file: AgentFile): Promise<Response> {
  const { bytes, sha256 } = file
  const headers = headersOf(sha256)
  if (c.req.header('if-none-match') === headers['etag']) return c.body(null, 304, headers)
  const ifRange = c.req.header('if-range')
  const range = parseByteRange(ifRange === undefined || ifRange === headers['etag'] ? c.req.header('range') : undefined, bytes)
  if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'content-range': `bytes */${bytes}` })
  const { first, last } = range === 'whole' ? { first: 0, last: bytes - 1 } : range
  const answer = {
    status: range === 'whole' ? 200 : 206,
    headers: {
      ...headers,
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-length': String(last - first + 1),
      ...(range === 'whole' ? {} : { 'content-range': `bytes ${first}-${last}/${bytes}` }),
    },
  }
  if (c.req.method === 'HEAD') return new Response(null, answer)
  const body = await agentFiles.stream(file, { first, last })
  if (body === undefined) throw new RecordError(503, 'This agent is being rebuilt. Try again in a moment.')
  return new Response(body, answer)
}
