import { test } from 'node:test'
import fc from 'fast-check'
import { assertAlertsAgree } from '../alert-agreement.ts'
import { alertScene, type AlertScene } from '../alert-scene.ts'
import { databases } from '../databases.ts'
import { roundsOf } from '../longer-runs.ts'

/** Number of runs: few by default, many in long runs. */
const RUNS = roundsOf({ short: 8, long: 40, soak: 200 })

/** State of a container in a sample. */
const found = ['healthy', 'unhealthy', 'starting', 'gone'] as const
type Container = (typeof found)[number]

type Step =
  | { readonly do: 'measure'; readonly cpu: number | undefined }
  | { readonly do: 'go down' | 'decide due' | 'restart' | 'pause' | 'resume' | 'delete' | 'set the clock back' }
  | { readonly do: 'look'; readonly web: Container; readonly db: Container }
  | { readonly do: 'pass'; readonly minutes: number }
  | { readonly do: 'edit'; readonly name: 'CPU' | 'Status'; readonly value: number; readonly min: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('measure' as const), cpu: fc.constantFrom(10, 60, 95, undefined) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('go down' as const, 'decide due' as const, 'restart' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('look' as const), web: fc.constantFrom(...found), db: fc.constantFrom(...found) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'delete' as const, 'set the clock back' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      name: fc.constantFrom('CPU' as const, 'Status' as const),
      value: fc.constantFrom(50, 80),
      min: fc.constantFrom(1, 3),
    }),
  },
)

type Doing = { readonly [Kind in Step['do']]: (scene: AlertScene, step: Extract<Step, { do: Kind }>) => Promise<unknown> }

const doing: Doing = {
  measure: (scene, { cpu }) => scene.measure(cpu === undefined ? {} : { cpu: { busyPercent: cpu } }),
  look: (scene, { web, db }) => {
    const here = Object.entries({ web, db }).flatMap(([name, health]) =>
      health === 'gone' ? [] : [{ name, health, status: 'Up 2 hours' }],
    )
    return scene.measure({ containers: here })
  },
  'go down': (scene) => scene.goDown(),
  'decide due': (scene) => scene.decideDue(),
  restart: (scene) => scene.restart(),
  pause: (scene) => scene.change('systems', scene.system.id, { status: 'paused' }),
  resume: (scene) => scene.change('systems', scene.system.id, { status: 'pending' }),
  'set the clock back': async (scene) => scene.pass(-30),
  pass: async (scene, { minutes }) => scene.pass(minutes),
  async delete(scene) {
    const [first] = await scene.engine.store.loadWhere('alerts', {})
    if (first !== undefined) await scene.remove('alerts', first.id)
  },
  async edit(scene, { name, value, min }) {
    const [same] = await scene.engine.store.loadWhere('alerts', { name })
    if (same === undefined) await scene.addAlert({ name, value, min })
    else await scene.change('alerts', same.id, { value, min })
  },
}

async function take<Kind extends Step['do']>(scene: AlertScene, step: Extract<Step, { do: Kind }>): Promise<void> {
  const action: Doing[Kind] = doing[step.do]
  await action(scene, step)
}

for (const kind of databases) {
  test(`${kind.name}: no order of events loses, doubles or orphans a transition of an alert`, { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40 }), async (happened) => {
        await using scene = await alertScene(kind)
        await scene.addAlert({ name: 'CPU', value: 80, min: 1 })
        await scene.addAlert({ name: 'Status', min: 1 })
        await scene.addAlert({ name: 'ContainerHealth', min: 2 })
        await scene.addAlert({ name: 'Container', target: 'web', min: 2 })
        for (const step of happened) await take(scene, step)
        await assertAlertsAgree(scene.engine)
      }),
      { numRuns: RUNS },
    )
  })
}
