import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { families } from '../../hub/src/operations/metrics/families.ts'
import { dashboard, dashboardQueries } from './dashboard.ts'

test('docs/grafana/vedette.json is the dashboard that the compiler checks against the schema of Grafana', () => {
  const stored: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'grafana', 'vedette.json'), 'utf8'))
  assert.deepEqual(stored, JSON.parse(JSON.stringify(dashboard)), 'run node tools/describe-grafana.ts')
})

test('panels of the dashboard query only metrics that the hub has', () => {
  for (const query of dashboardQueries)
    for (const [name] of query.matchAll(/vedette_\w+/g)) assert.ok(Object.hasOwn(families, name), `${name} in ${query}`)
  assert.ok(dashboardQueries.length > 10)
})

test('panels of the dashboard have unique ids and do not overlap', () => {
  const { panels = [] } = dashboard
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const cells = panels.flatMap(({ gridPos }) => {
    assert.ok(gridPos !== undefined && gridPos.x + gridPos.w <= 24)
    return Array.from(
      { length: gridPos.w * gridPos.h },
      (_, at) => `${gridPos.x + (at % gridPos.w)} ${gridPos.y + Math.floor(at / gridPos.w)}`,
    )
  })
  assert.equal(new Set(cells).size, cells.length)
})
