type Numbers = number | string | readonly Numbers[] | { readonly [name: string]: Numbers }
/** JSON of one row of the other hub's `system_stats`. */
export type Stats = { readonly [key: string]: Numbers }
/** Entry of one container in a row of `container_stats`. */
export type ContainerStats = { readonly n: string; readonly c: number; readonly m: number; readonly b: readonly [number, number] }

const round2 = (value: number): number => Math.round(value * 100) / 100

/** A number from 0 to 1 that depends on its arguments only. */
export function noise(seed: number, series: number, at: number): number {
  let mixed = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(series + 7, 0x85ebca6b) ^ Math.imul(Math.floor(at), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

/** Series whose values are whole numbers in every row, by the key that holds them. */
const wholeKeys = new Set(['b', 'dio', 'cpus', 'f', 'bat', 'bats', 'ni', 'rb', 'wb'])

/** Values of a machine at one minute. With `isRich` it has every kind of series. */
export function measured(seed: number, minute: number, isRich: boolean): Stats {
  const one = (series: number): number => noise(seed, series, minute)
  const activity = [1, 2, 3, 4, 5, 6].map((place) => round2(one(20 + place) * 30))
  const interfaces = (first: number) => [
    Math.floor(one(first) * 5e6),
    Math.floor(one(first + 1) * 9e7),
    1e9 + minute * 60_000,
    3e9 + minute * 90_000,
  ]
  return {
    cpu: round2(one(1) * 60),
    cpub: [2, 3, 4, 5, 6].map((place) => round2(one(place) * 20)),
    m: 16,
    mu: round2(4 + one(7) * 4),
    mp: round2(25 + one(7) * 25),
    mb: round2(one(8) * 3),
    s: 2,
    su: round2(one(9) * 0.1),
    d: 240,
    du: round2(96 + one(10)),
    dp: round2(40 + one(10)),
    dio: [Math.floor(one(11) * 4e6), Math.floor(one(12) * 9e6)],
    dios: activity,
    b: [Math.floor(one(13) * 1e8), Math.floor(one(14) * 1e7)],
    la: [15, 16, 17].map((place) => round2(one(place) * 4)),
    t: { coretemp_package_id_0: round2(40 + one(18) * 20), nvme: round2(38 + one(19)) },
    ni: { eth0: interfaces(30) },
    ...(isRich && {
      mz: round2(one(40)),
      cpus: [0, 1, 2, 3].map((core) => Math.floor(one(41 + core) * 100)),
      f: { fan1: Math.floor(900 + one(46) * 300) },
      bat: [Math.floor(one(47) * 100), 4],
      bats: { BAT0: Math.floor(one(47) * 100) },
      efs: {
        'data.disk': {
          d: 1000,
          du: round2(400 + one(50)),
          rb: Math.floor(one(51) * 1e6),
          wb: Math.floor(one(52) * 1e6),
          dios: activity.map((value) => round2(value / 2)),
        },
      },
      g: {
        '0': {
          n: 'Card',
          u: round2(one(53) * 100),
          mu: round2(one(54) * 8000),
          mt: 8192,
          p: round2(one(55) * 200),
          e: { Video: round2(one(56) * 9) },
        },
      },
    }),
  }
}

export const containersMeasured = (seed: number, minute: number, count: number): readonly ContainerStats[] =>
  Array.from({ length: count }, (_, place) => ({
    n: `container-${String.fromCodePoint(97 + (place % 26))}${place >= 26 ? place : ''}`,
    c: round2(noise(seed, 100 + place * 4, minute) * 12),
    m: round2(50 + noise(seed, 101 + place * 4, minute) * 900),
    b: [Math.floor(noise(seed, 102 + place * 4, minute) * 4e5), Math.floor(noise(seed, 103 + place * 4, minute) * 4e5)],
  }))

/** The other hub's average of rows: means with two decimals or whole numbers, totals at their highest. */
function mean(of: readonly Numbers[], key: string, place = 0): Numbers {
  const [first] = of
  if (typeof first === 'string' || first === undefined) return first ?? 0
  if (typeof first === 'number') {
    const numbers = of as readonly number[]
    if (key === 'ni' && place > 1) return Math.max(...numbers)
    const sum = numbers.reduce((total, value) => total + value, 0) / numbers.length
    return wholeKeys.has(key) ? Math.trunc(sum) : round2(sum)
  }
  if (Array.isArray(first))
    return (first as readonly Numbers[]).map((_, at) =>
      mean(
        of.map((one) => (one as readonly Numbers[])[at] ?? 0),
        key,
        at,
      ),
    )
  return Object.fromEntries(
    Object.keys(first).map((name) => [
      name,
      mean(
        of.map((one) => (one as { readonly [name: string]: Numbers })[name] ?? 0),
        /^(?:rb|wb|dios|d|du|e|u|p|mu|mt)$/.test(name) ? name : key,
      ),
    ]),
  )
}

const peakOf: Readonly<Record<string, string>> = { cpu: 'cpum', mu: 'mm', dio: 'diom', dios: 'diosm', b: 'bm' }
const diskPeakOf: Readonly<Record<string, string>> = { rb: 'rbm', wb: 'wbm', dios: 'diosm' }

function highest(rows: readonly Stats[], key: string, peak: string): Numbers {
  const [first] = rows
  const at = (row: Stats, place: number): number => {
    const [stored, value] = [row[peak], row[key]].map((one) => (Array.isArray(one) ? (one as readonly number[])[place] : one))
    return Math.max(Number(stored ?? 0), Number(value ?? 0))
  }
  if (Array.isArray(first?.[key]))
    return (first[key] as readonly number[]).map((_, place) => Math.max(...rows.map((row) => at(row, place))))
  return Math.max(...rows.map((row) => at(row, 0)))
}

/** The other hub's roll-up of rows of `system_stats`, with the maximums that it stores. */
export function rolledUpStats(rows: readonly Stats[]): Stats {
  const [first = {}] = rows
  const without = (stats: Stats): Stats => Object.fromEntries(Object.entries(stats).filter(([key]) => !Object.values(peakOf).includes(key)))
  const averages = Object.entries(without(first)).map(
    ([key]) =>
      [
        key,
        mean(
          rows.map((row) => row[key] as Numbers),
          key,
        ),
      ] as const,
  )
  const peaks = Object.entries(peakOf).map(([key, peak]) => [peak, highest(rows, key, peak)] as const)
  const disks = first['efs'] as { readonly [name: string]: Stats } | undefined
  const efs = disks && {
    efs: Object.fromEntries(
      Object.keys(disks).map((name) => {
        const of = rows.map((row) => (row['efs'] as { readonly [name: string]: Stats })[name] ?? {})
        const base = mean(
          of.map((disk) => Object.fromEntries(Object.entries(disk).filter(([key]) => !key.endsWith('m'))) as Numbers),
          'efs',
        ) as Stats
        return [name, { ...base, ...Object.fromEntries(Object.entries(diskPeakOf).map(([key, peak]) => [peak, highest(of, key, peak)])) }]
      }),
    ),
  }
  return { ...Object.fromEntries(averages), ...Object.fromEntries(peaks), ...efs }
}

/** The other hub's roll-up of rows of `container_stats`. */
export function rolledUpContainers(rows: readonly (readonly ContainerStats[])[]): readonly ContainerStats[] {
  const [first = []] = rows
  return first.map(({ n }, place) => {
    const of = rows.flatMap((row) => row[place] ?? [])
    return {
      n,
      c: mean(
        of.map(({ c }) => c),
        'c',
      ) as number,
      m: mean(
        of.map(({ m }) => m),
        'm',
      ) as number,
      b: mean(
        of.map(({ b }) => b),
        'b',
      ) as [number, number],
    }
  })
}
