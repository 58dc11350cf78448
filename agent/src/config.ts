import type { CollectOptions } from './collect/collectors.ts'
import { parseEngineAddress, type EngineAddress } from './collect/docker/client.ts'
import { parseCommandLine } from './config/command-line.ts'
import { notYet, prefixes, type OptionName } from './config/schema.ts'
import type { LogLevel, Runtime, SshAddress } from './runtime.ts'
import { parseDurationMs } from './text/durations.ts'
import { parseNameFilter } from './text/glob.ts'
import { agentSocketUrl } from './text/hub-url.ts'
import { parseListenAddress } from './text/listen-address.ts'
import { parsePublicKeys, type PublicKey } from './text/public-keys.ts'

export type SshConfig = { readonly mode: 'off' } | { readonly mode: 'listen'; readonly address: SshAddress }
export type WebSocketConfig = { readonly mode: 'off' } | { readonly mode: 'dial'; readonly url: string; readonly token: string }

export type AgentConfig = {
  readonly keys: readonly PublicKey[]
  readonly ssh: SshConfig
  readonly webSocket: WebSocketConfig
  readonly systemName: string | undefined
  readonly dataFolder: string | undefined
  readonly logLevel: LogLevel
  readonly collect: CollectOptions
  /** To be said once at start. */
  readonly remarks: readonly string[]
}

export type ConfigResult =
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'run'; readonly config: AgentConfig }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }

const DEFAULT_PORT = 45_876
const MAX_TOKEN_BYTES = 64

/** Reads flags and environment once; every problem is found before any is told. */
export function readConfig(runtime: Runtime): ConfigResult {
  const line = parseCommandLine(runtime.info().argv)
  if (line.asks !== 'run') return { kind: line.asks }
  const problems = [...line.problems]
  const remarks: string[] = []
  const given = (name: string): string | undefined =>
    line.values.get(name) ?? prefixes.map((prefix) => runtime.env(prefix + name)).find((value) => value !== null) ?? undefined
  const reader: Reader = {
    given,
    text: (name) => given(name)?.trim() || undefined,
    refuse: (problem) => {
      problems.push(problem)
    },
    remark: (text) => {
      remarks.push(text)
    },
    fileText: (path) => runtime.readText(path) ?? undefined,
  }

  const config = {
    keys: readKeys(reader),
    ...readLinks(reader),
    systemName: reader.text('SYSTEM_NAME'),
    dataFolder: reader.text('DATA_DIR'),
    logLevel: readLogLevel(reader),
    collect: readCollect(reader, runtime),
  }
  const later = notYet.filter((name) => given(name) !== undefined)
  if (later.length > 0) remarks.push(`This agent does not act on ${later.join(', ')} yet`)
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'run', config: { ...config, remarks } }
}

type Reader = {
  /** As given: an empty text means something for some options. */
  readonly given: (name: OptionName) => string | undefined
  readonly text: (name: OptionName) => string | undefined
  readonly refuse: (problem: string) => void
  readonly remark: (text: string) => void
  readonly fileText: (path: string) => string | undefined
}

function readKeys(reader: Reader): readonly PublicKey[] {
  const [name, text] = textOrFile(reader, 'KEY', 'KEY_FILE')
  const { keys, problems } = parsePublicKeys(text ?? '')
  for (const problem of problems) reader.refuse(`${name}: ${problem}`)
  if (text === undefined || (keys.length === 0 && problems.length === 0)) {
    reader.refuse('KEY or KEY_FILE: needs the public key of the hub, which its Add System dialog shows')
  }
  return keys
}

function textOrFile(reader: Reader, name: OptionName, fileName: OptionName): readonly [string, string | undefined] {
  const text = reader.text(name)
  const path = reader.text(fileName)
  if (text !== undefined || path === undefined) return [name, text]
  const content = reader.fileText(path)
  if (content === undefined) {
    reader.refuse(`${fileName}: Cannot read "${path}"`)
    return [fileName, '']
  }
  return [fileName, content.trim()]
}

function readLinks(reader: Reader): { readonly ssh: SshConfig; readonly webSocket: WebSocketConfig } {
  const ssh = readSsh(reader)
  const webSocket = readWebSocket(reader)
  if (ssh.mode === 'off' && webSocket.mode === 'off' && (reader.text('HUB_URL') === undefined || !hasToken(reader))) {
    reader.refuse('DISABLE_SSH: without SSH the agent needs HUB_URL and TOKEN, otherwise no hub can reach it')
  }
  return { ssh, webSocket }
}

const hasToken = (reader: Reader): boolean => reader.text('TOKEN') !== undefined || reader.text('TOKEN_FILE') !== undefined

function readSsh(reader: Reader): SshConfig {
  const disabled = reader.text('DISABLE_SSH') ?? 'false'
  if (!/^(true|false|1|0)$/i.test(disabled)) reader.refuse(`DISABLE_SSH: "${disabled}" is neither true nor false`)
  const name = reader.text('LISTEN') === undefined ? 'PORT' : 'LISTEN'
  const text = reader.text(name) ?? String(DEFAULT_PORT)
  const address = parseListenAddress(text)
  if (address === undefined) reader.refuse(`${name}: "${text}" is no port, host:port or path of a socket`)
  return /^(true|1)$/i.test(disabled) ? { mode: 'off' } : { mode: 'listen', address: address ?? { kind: 'tcp', port: DEFAULT_PORT } }
}

function readWebSocket(reader: Reader): WebSocketConfig {
  const hubUrl = reader.text('HUB_URL')
  const [tokenName, token] = textOrFile(reader, 'TOKEN', 'TOKEN_FILE')
  const url = hubUrl === undefined ? undefined : agentSocketUrl(hubUrl)
  if (hubUrl !== undefined && url === undefined) reader.refuse(`HUB_URL: "${hubUrl}" is no address such as https://hub.example.org`)
  checkToken(reader, tokenName, token ?? '')
  if (url !== undefined && token) return { mode: 'dial', url, token }
  if (url !== undefined) reader.remark('HUB_URL is set but TOKEN is not: the hub can only reach this agent over SSH')
  else if (token && hubUrl === undefined) reader.remark('TOKEN is set but HUB_URL is not: the hub can only reach this agent over SSH')
  return { mode: 'off' }
}

/** A header value of visible ASCII; the text itself is a secret and never repeated. */
function checkToken(reader: Reader, name: string, token: string): void {
  if (!/^[\x21-\x7e]*$/.test(token)) reader.refuse(`${name}: contains characters no token has`)
  else if (token.length > MAX_TOKEN_BYTES) reader.refuse(`${name}: is longer than ${MAX_TOKEN_BYTES} characters`)
}

function readLogLevel(reader: Reader): LogLevel {
  const text = (reader.text('LOG_LEVEL') ?? 'info').toLowerCase()
  if (text === 'debug' || text === 'info' || text === 'warn' || text === 'error') return text
  reader.refuse(`LOG_LEVEL: "${text}" is none of debug, info, warn, error`)
  return 'info'
}

function readCollect(reader: Reader, runtime: Runtime): CollectOptions {
  const sys = reader.text('HOST_SYS') ?? '/sys'
  const nics = reader.given('NICS')
  const sensors = reader.given('SENSORS')?.trim()
  return {
    roots: { proc: reader.text('HOST_PROC') ?? '/proc', sys, etc: reader.text('HOST_ETC') ?? '/etc' },
    sensorsRoot: reader.text('SYS_SENSORS') ?? sys,
    memoryCalculation: reader.text('MEM_CALC') === 'htop' ? 'htop' : 'available',
    filesystem: reader.text('FILESYSTEM'),
    interfaces: nics === undefined ? undefined : parseNameFilter(nics.trim()),
    sensors: sensors === '' ? { mode: 'off' } : { mode: 'on', filter: sensors === undefined ? undefined : parseNameFilter(sensors) },
    primarySensor: reader.text('PRIMARY_SENSOR'),
    sensorsTimeoutMs: readDuration(reader, 'SENSORS_TIMEOUT', 2000),
    engine: readEngine(reader, runtime),
    engineTimeoutMs: readDuration(reader, 'DOCKER_TIMEOUT', 2100),
    excludedContainers: parseNameFilter(reader.text('EXCLUDE_CONTAINERS') ?? '').patterns,
  }
}

function readDuration(reader: Reader, name: OptionName, byDefaultMs: number): number {
  const text = reader.text(name)
  const durationMs = text === undefined ? byDefaultMs : parseDurationMs(text)
  if (durationMs === undefined || durationMs <= 0) {
    reader.refuse(`${name}: "${text}" is no duration such as 2.1s`)
    return byDefaultMs
  }
  return durationMs
}

/** Without a setting the first socket there is; it may also appear later, so Docker's path is kept when there is none. */
function readEngine(reader: Reader, runtime: Runtime): EngineAddress | undefined {
  const text = reader.given('DOCKER_HOST')?.trim()
  if (text === '') return undefined
  if (text !== undefined) {
    const address = parseEngineAddress(text)
    if (address === undefined) reader.refuse(`DOCKER_HOST: "${text}" is no unix:///path, tcp://host:port or http(s)://host:port`)
    return address
  }
  const owner = runtime.stat('/proc/self')?.owner ?? 0
  const paths = ['/var/run/docker.sock', `/run/user/${owner}/podman/podman.sock`, '/run/podman/podman.sock']
  const path = paths.find((one) => runtime.stat(one)?.kind === 'socket')
  return path === undefined ? undefined : { kind: 'unix', path }
}
