import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsIn } from './watched-parts.ts'

const alert = (name: string, target?: string) => ({ name, target })

test('partsIn lists each part once, sorted by name, with the selected parts at the end', () => {
  const alerts = [
    alert('CPU'),
    alert('ContainerCPU', 'web'),
    alert('Service', 'nginx'),
    alert('Container', 'web'),
    alert('Container', 'db'),
    alert('New', 'x'),
  ]
  assert.deepEqual(
    partsIn(alerts, [
      { kind: 'interface', target: 'eth0' },
      { kind: 'container', target: 'web' },
    ]),
    [
      { kind: 'container', target: 'db' },
      { kind: 'container', target: 'web' },
      { kind: 'service', target: 'nginx' },
      { kind: 'interface', target: 'eth0' },
    ],
  )
})
