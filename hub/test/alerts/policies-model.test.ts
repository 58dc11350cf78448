import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { RecordValues } from '../../src/records/model/record-store.ts'
import { textOf } from '../../src/records/model/stored-record.ts'
import { tagFields } from '../../src/records/model/tag.ts'
import { alertScene, type AlertScene } from '../alert-scene.ts'
import { assertAlertsAgree } from '../alert-agreement.ts'
import { databases } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'

/** Number of runs: few by default, many in long runs. */
const RUNS = roundsOf({ short: 6, long: 40, soak: 200 })

const health = ['healthy', 'unhealthy', 'gone'] as const

type Step =
  | { readonly do: 'measure'; readonly cpu: number | undefined; readonly web: (typeof health)[number] }
  | { readonly do: 'go down' | 'decide due' | 'restart' | 'pause' | 'resume' }
  | { readonly do: 'pass'; readonly minutes: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('measure' as const),
      cpu: fc.constantFrom(10, 60, 95, undefined),
      web: fc.constantFrom(...health),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('go down' as const, 'decide due' as const, 'restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 6 }) }) },
)

async function take(scene: AlertScene, step: Step): Promise<void> {
  switch (step.do) {
    case 'measure': {
      const containers = step.web === 'gone' ? [] : [{ name: 'web', health: step.web, status: 'Up 2 hours' }]
      return scene.measure({ containers, ...(step.cpu === undefined ? {} : { cpu: { busyPercent: step.cpu } }) })
    }
    case 'go down':
      return scene.goDown()
    case 'decide due':
      return void (await scene.decideDue())
    case 'restart':
      return scene.restart()
    case 'pause':
      return void (await scene.change('systems', scene.system.id, { status: 'paused' }))
    case 'resume':
      return void (await scene.change('systems', scene.system.id, { status: 'pending' }))
    case 'pass':
      return scene.pass(step.minutes)
  }
}

type Rule = { readonly name: string; readonly target?: string; readonly value?: number; readonly min: number }

const rules: fc.Arbitrary<readonly Rule[]> = fc.tuple(
  fc.record({ name: fc.constant('CPU'), value: fc.constantFrom(50, 80), min: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ name: fc.constant('Status'), min: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ name: fc.constant('ContainerHealth'), min: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ name: fc.constant('Container'), target: fc.constant('web'), min: fc.integer({ min: 1, max: 3 }) }),
)

const scopes = fc.array(fc.constantFrom('everything', 'tag', 'system'), { minLength: 4, maxLength: 4 })

/** Notifications and firing periods of a scene, without ids. */
async function outcome(scene: AlertScene) {
  const notices = (await scene.notices()).map(({ transition, at, due, body }) => JSON.stringify({ transition, at, due, body }))
  const incidents = (await scene.incidents()).map((row) => JSON.stringify({ ...row, id: '', alert: '', owner: '', system: '' }))
  const rows = (await scene.engine.store.loadWhere('alerts_history', {})).map((row) =>
    JSON.stringify([row['name'], row['value'], textOf(row, 'created'), textOf(row, 'resolved')]),
  )
  return { notices: notices.toSorted(), incidents: incidents.toSorted(), rows: rows.toSorted() }
}

async function sceneWith(kind: (typeof databases)[number], add: (scene: AlertScene) => Promise<unknown>): Promise<AlertScene> {
  const scene = await alertScene(kind)
  const { database, store } = scene.engine
  await database.write((unit) => store.update(unit, 'systems', scene.system.id, tagFields([{ tag: 'env=prod', sources: ['admin'] }])))
  await add(scene)
  await scene.restart()
  return scene
}

for (const kind of databases) {
  test(`${kind.name}: policies have the same outcome as alerts with the same values`, { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(rules, scopes, fc.array(steps, { minLength: 5, maxLength: 40 }), async (wanted, ranges, happened) => {
        await using alerts = await sceneWith(kind, async (scene) => {
          for (const rule of wanted) await scene.addAlert({ ...rule })
        })
        await using policies = await sceneWith(kind, async (scene) => {
          for (const [at, { name, target = '', value, min }] of wanted.entries()) {
            const reach: Readonly<Record<string, RecordValues>> = { tag: { tag: 'env=prod' }, system: { system: scene.system.id } }
            const values = { minutes: min, ...(value === undefined ? {} : { threshold: value }) }
            await scene.insert('alert_policies', { user: scene.owner.id, name, target, values, ...reach[ranges[at] ?? ''] })
          }
        })
        for (const step of happened) for (const scene of [alerts, policies]) await take(scene, step)
        assert.deepEqual(await outcome(policies), await outcome(alerts))
        await assertAlertsAgree(policies.engine)
      }),
      { numRuns: RUNS },
    )
  })
}
