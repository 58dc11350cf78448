import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../databases.ts'
import { byName, differences, readLinkVector, storedBy, type Stored } from '../recorded-link.ts'
import { fleetOn, shortDeadlines, type RunningFleet } from '../running-fleet.ts'
import { behavingSshAgent, writing } from '../scripted-agent.ts'

type Case = {
  readonly case: string
  readonly agent_ident?: string
  readonly document_hex?: string
  readonly sent_text?: string
  readonly source?: string
  readonly sample?: string
  readonly accepted: boolean
  readonly stored?: Stored
}
type Cases = { readonly cases: readonly Case[] }
type Samples = { readonly samples: readonly { readonly label: string; readonly stdout_hex: string }[] }

const recorded = ['head-json', 'head-recorded-agents', 'head-websocket'].flatMap(
  (file) => (readLinkVector(`hub-link/documents/${file}.json`) as Cases).cases, // the shape of the recording
)

/** The agent's complete output; `undefined` for a few long documents, which were recorded by their result only. */
function written({ sent_text: text, source, sample, document_hex: document }: Case): Uint8Array | undefined {
  // Over SSH an envelope is one map with the document under key 1.
  if (document !== undefined) return Buffer.from(`a101${document}`, 'hex')
  if (text !== undefined) return Buffer.from(text, text.includes('\u00ff') ? 'latin1' : 'utf8')
  if (source === undefined) return undefined
  const { samples } = readLinkVector(`agent/${source}`) as Samples // the shape of the recording
  const hex = samples.find(({ label }) => label === sample)?.stdout_hex
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

/** Intended differences, by their text. */
const onPurpose: readonly (readonly [difference: RegExp, reason: string])[] = [
  [/^\.systems_info\.(cpu|mp|dp): undefined/, 'without measurements, their copies in the info are not believed'],
  [/^\.systems_info\.(cpu|mp|dp): \S+, a real hub has 0/, 'without an info, the measurements are shown'],
  [/^\.systems_info\.cpu: 50, a real hub has 12.5/, 'the info shows the measurement itself'],
  [/^\.systems_info\.bb: \d+, a real hub has 0/, 'agents without a sum of the bandwidth send its parts'],
  [/\.la\.\d: \S+, a real hub has 0/, 'agents 0.12.0 send the load under three keys'],
  [/^\.system_stats\.(n[sr]|d[rw]): /, 'bandwidth and disk have one value each, that of its name today'],
  [/^\.system_stats\.(efs\.[^.]+)\.(r|w|dios)/, 'rates of filesystems are kept under their names of today'],
  [/^\.system_stats\.g\.[^.]+\.(n|e)/, 'texts are no series'],
  [/^\.system_stats\.bat\.1/, 'the charging state is not a series'],
  [/^\.systems_info\.(b|bb): /, 'the sum of the bandwidth is that of what was measured'],
  [/^\.systems_info\.ct: 1/, 'the link is the one that is used'],
  [/^\.systems_info\.[hkm]: "/, 'details count more than the info'],
  [/^\.systems_info\.sv\.2|^\.system_stats\.cpub\.[56]/, 'elements without a meaning are left out'],
  [/\.(os|health): \w+, a real hub has 9$/, 'a number without a meaning is not known'],
  [/\.(cpu: 100|dp: undefined), a real hub has (250|12\.5|-3)$/, 'nonsense is bounded'],
  [/^\.system_stats\.m: undefined/, 'memory is known whole or not at all'],
  [/^\.containers\.(two\.|web\.id)/, 'a row needs a proper id; of two containers with one name either may be compared'],
  [/\.a\0b/, 'no NUL goes into a database'],
]

async function store(fleet: RunningFleet, one: Case, bytes: Uint8Array): Promise<Stored> {
  await using agent = await behavingSshAgent(fleet.key.publicLine, {
    ident: (one.agent_ident ?? 'beszel_0.18.8').replace('SSH-2.0-', ''),
    behave: writing(bytes),
  })
  const system = await fleet.addSystem({ host: '127.0.0.1', port: String(agent.port) })
  const { record } = await fleet.seen(
    ({ collection, record: { id, status } }) => collection === 'systems' && id === system.id && (status === 'up' || status === 'down'),
  )
  const stored = await storedBy(fleet, record)
  await fleet.remove(system.id)
  return stored
}

for (const kind of databases) {
  test(
    `${kind.name}: documents of every agent generation over SSH are read at least as completely as by the recorded hub`,
    { timeout: 300_000 },
    async (t) => {
      await using fleet = await fleetOn(kind, shortDeadlines)
      for (const one of recorded) {
        const bytes = written(one)
        if (bytes === undefined) continue
        await t.test(`${one.agent_ident ?? 'today'}: ${one.case}`, async () => {
          const ours = await store(fleet, one, bytes)
          if (!one.accepted || one.stored === undefined) return // ours may read a sample that the recorded hub drops
          assert.equal(ours.status, 'up')
          assert.deepEqual(meaning(ours, one.stored), [])
        })
      }
    },
  )
}

function meaning(ours: Stored, theirs: Stored): string[] {
  const { systems_info: info, system_stats: stats, system_details: details } = theirs
  const found = [
    ...differences(ours.systems_info ?? {}, info, '.systems_info'),
    ...differences(ours.system_stats ?? {}, stats, '.system_stats'),
    ...differences(byName(ours.container_stats, 'n'), byName(theirs.container_stats, 'n'), '.container_stats'),
    ...differences(byName(ours.containers, 'name'), byName(theirs.containers, 'name'), '.containers'),
    ...differences(ours.system_details ?? {}, details, '.system_details'),
    ...differences(byName(ours.systemd_services, 'name'), byName(theirs.systemd_services, 'name'), '.systemd_services'),
  ]
  return found.filter((difference) => !onPurpose.some(([known]) => known.test(difference)))
}
