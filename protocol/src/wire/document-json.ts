import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'
import { containerKey, documentKey, extraDiskKey, gpuKey, infoKey, serviceKey, statsKey } from './keys.ts'
import type { Json, JsonObject } from './stats-json.ts'

/**
 * Rules for converting an agent's sample between CBOR and JSON, for one map: `names` maps integer CBOR keys to JSON names, and `nested` has
 * rules for keys whose values contain maps. Keys without a name are left out.
 */
type Shape = { readonly names: Readonly<Record<number, string>>; readonly nested: Readonly<Record<number, Nested>> }
/**
 * Rule for a CBOR value that contains maps: `as` says whether it is one map, a list of maps, or maps by name; `shape` is the rule for each
 * of them.
 */
type Nested = { readonly as: 'map' | 'list' | 'by name'; readonly shape: Shape }

const leaf = (names: Shape['names']): Shape => ({ names, nested: {} })

const extraDiskShape = leaf({
  [extraDiskKey.total]: 'd',
  [extraDiskKey.used]: 'du',
  [extraDiskKey.readMebibytes]: 'r',
  [extraDiskKey.writeMebibytes]: 'w',
  [extraDiskKey.read]: 'rb',
  [extraDiskKey.written]: 'wb',
  [extraDiskKey.activity]: 'dios',
})

const gpuShape = leaf({
  [gpuKey.name]: 'n',
  [gpuKey.memoryUsed]: 'mu',
  [gpuKey.memoryTotal]: 'mt',
  [gpuKey.usage]: 'u',
  [gpuKey.power]: 'p',
  [gpuKey.engines]: 'e',
  [gpuKey.packagePower]: 'pp',
})

const statsShape: Shape = {
  names: {
    [statsKey.cpu]: 'cpu',
    [statsKey.memoryTotal]: 'm',
    [statsKey.memoryUsed]: 'mu',
    [statsKey.memoryPercent]: 'mp',
    [statsKey.memoryCache]: 'mb',
    [statsKey.memoryZfsArc]: 'mz',
    [statsKey.swapTotal]: 's',
    [statsKey.swapUsed]: 'su',
    [statsKey.diskTotal]: 'd',
    [statsKey.diskUsed]: 'du',
    [statsKey.diskPercent]: 'dp',
    [statsKey.diskReadMebibytes]: 'dr',
    [statsKey.diskWriteMebibytes]: 'dw',
    [statsKey.sentMebibytes]: 'ns',
    [statsKey.receivedMebibytes]: 'nr',
    [statsKey.temperatures]: 't',
    [statsKey.extraDisks]: 'efs',
    [statsKey.gpus]: 'g',
    [statsKey.bandwidth]: 'b',
    [statsKey.load]: 'la',
    [statsKey.battery]: 'bat',
    [statsKey.interfaces]: 'ni',
    [statsKey.diskIo]: 'dio',
    [statsKey.cpuShares]: 'cpub',
    [statsKey.cores]: 'cpus',
    [statsKey.diskActivity]: 'dios',
    [statsKey.fans]: 'f',
    [statsKey.batteries]: 'bats',
  },
  nested: {
    [statsKey.extraDisks]: { as: 'by name', shape: extraDiskShape },
    [statsKey.gpus]: { as: 'by name', shape: gpuShape },
  },
}

const infoShape = leaf({
  [infoKey.hostname]: 'h',
  [infoKey.kernel]: 'k',
  [infoKey.cores]: 'c',
  [infoKey.threads]: 't',
  [infoKey.cpuModel]: 'm',
  [infoKey.uptime]: 'u',
  [infoKey.cpu]: 'cpu',
  [infoKey.memoryPercent]: 'mp',
  [infoKey.diskPercent]: 'dp',
  [infoKey.bandwidthMebibytes]: 'b',
  [infoKey.agentVersion]: 'v',
  [infoKey.podman]: 'p',
  [infoKey.gpu]: 'g',
  [infoKey.dashboardCelsius]: 'dt',
  [infoKey.os]: 'os',
  [infoKey.bandwidth]: 'bb',
  [infoKey.load]: 'la',
  [infoKey.link]: 'ct',
  [infoKey.extraDiskPercents]: 'efs',
  [infoKey.serviceCounts]: 'sv',
  [infoKey.battery]: 'bat',
})

const containerShape = leaf({
  [containerKey.name]: 'n',
  [containerKey.cpu]: 'c',
  [containerKey.memoryMebibytes]: 'm',
  [containerKey.sentMebibytes]: 'ns',
  [containerKey.receivedMebibytes]: 'nr',
  [containerKey.bandwidth]: 'b',
})

const serviceShape = leaf({
  [serviceKey.name]: 'n',
  [serviceKey.state]: 's',
  [serviceKey.cpu]: 'c',
  [serviceKey.memory]: 'm',
  [serviceKey.memoryPeak]: 'mp',
  [serviceKey.subState]: 'ss',
  [serviceKey.cpuPeak]: 'cp',
})

const documentShape: Shape = {
  names: {
    [documentKey.stats]: 'stats',
    [documentKey.info]: 'info',
    [documentKey.containers]: 'container',
    [documentKey.services]: 'systemd',
  },
  nested: {
    [documentKey.stats]: { as: 'map', shape: statsShape },
    [documentKey.info]: { as: 'map', shape: infoShape },
    [documentKey.containers]: { as: 'list', shape: containerShape },
    [documentKey.services]: { as: 'list', shape: serviceShape },
  },
}

export const toDocumentJson = (document: CborMap): JsonObject => toObject(document, documentShape)

function toObject(map: CborMap, { names, nested }: Shape): JsonObject {
  return Object.fromEntries(
    [...map].flatMap(([key, value]) => {
      const name = names[Number(key)]
      return name === undefined ? [] : [[name, toJson(value, nested[Number(key)])]]
    }),
  )
}

function toJson(value: CborValue, nested?: Nested): Json {
  if (isCborMap(value)) {
    if (nested?.as === 'map') return toObject(value, nested.shape)
    return Object.fromEntries(
      [...value].map(([name, item]) => [name, nested && isCborMap(item) ? toObject(item, nested.shape) : toJson(item)]),
    )
  }
  if (value instanceof Uint8Array) return Array.from(value)
  if (Array.isArray(value)) {
    return (value as readonly CborValue[]).map((item) => (nested && isCborMap(item) ? toObject(item, nested.shape) : toJson(item)))
  }
  return typeof value === 'bigint' ? Number(value) : (value as null | boolean | number | string)
}

/**
 * Converts the parsed JSON of an agent's sample into the CBOR map for `decodeDocument`. Member names are compared without case, as by the
 * hubs before 0.12; unknown members are left out. `undefined` when it is no object; null counts as empty.
 */
export function fromDocumentJson(json: Json): CborMap | undefined {
  if (json === null) return new Map()
  return isObject(json) ? fromObject(json, documentShape) : undefined
}

const keysByShape = new WeakMap<Shape, ReadonlyMap<string, number>>()

/**
 * Returns a map from JSON member name to integer CBOR key for `shape`, the conversion rules of one map. It is computed once and then
 * cached.
 */
function keysOf(shape: Shape): ReadonlyMap<string, number> {
  let keys = keysByShape.get(shape)
  if (keys === undefined) keysByShape.set(shape, (keys = new Map(Object.entries(shape.names).map(([key, name]) => [name, Number(key)]))))
  return keys
}

function fromObject(object: JsonObject, shape: Shape): CborMap {
  const { nested } = shape
  const keys = keysOf(shape)
  const map = new Map<number, CborValue>()
  for (const [name, value] of Object.entries(object)) {
    const key = keys.get(name) ?? keys.get(name.toLowerCase())
    if (key !== undefined) map.set(key, fromJson(value, nested[key]))
  }
  return map
}

function fromJson(value: Json, nested?: Nested): CborValue {
  if (isObject(value)) {
    if (nested?.as === 'map') return fromObject(value, nested.shape)
    return new Map(
      Object.entries(value).map(([name, item]) => [name, nested && isObject(item) ? fromObject(item, nested.shape) : fromJson(item)]),
    )
  }
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item) => (nested && isObject(item) ? fromObject(item, nested.shape) : fromJson(item)))
  }
  // Objects and arrays are handled above; the remaining types are valid in both.
  return value as null | boolean | number | string
}

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
