import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { root } from '../../../tools/rules/source-tree.ts'
import { hubOptions, parseHubConfig } from '../../src/startup/config.ts'

const chart = join(root, 'deploy', 'helm')

/** Python with Helm's engine and the schemas of Kubernetes, which `.ci/run` installs. */
const python = join(root, 'node_modules', '.cache', 'helm', 'bin', 'python')

/** Versions of Kubernetes whose schemas the objects must follow: the oldest of the chart, and a new one. */
const versions = ['1.25', '1.37']

const rendered = z.union([
  z.object({ refusal: z.string() }),
  z.object({ files: z.record(z.string(), z.string()), problems: z.array(z.string()) }),
])

function render(values: object, name = 'vedette'): z.infer<typeof rendered> {
  const input = JSON.stringify({ chart, name, namespace: 'monitoring', values, versions })
  const { status, stdout, stderr } = spawnSync(python, [join(root, 'tools', 'render-chart.py')], { input, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return rendered.parse(JSON.parse(stdout))
}

const variable = z.object({ name: z.string(), value: z.string().optional() })
const container = z.object({
  image: z.string(),
  env: z.array(variable),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]), add: z.array(z.string()).optional() }),
  }),
})
const workload = z.object({
  kind: z.string(),
  spec: z.object({
    replicas: z.number().optional(),
    template: z.object({
      spec: z.object({
        enableServiceLinks: z.literal(false),
        securityContext: z.object({ runAsNonRoot: z.boolean().optional() }),
        containers: z.tuple([container]),
      }),
    }),
  }),
})

/** Renders the chart and returns its objects by kind and name. Fails when Helm or a schema of Kubernetes finds a problem. */
function objectsOf(values: object, name?: string): ReadonlyMap<string, unknown> {
  const result = render(values, name)
  assert.ok('files' in result, JSON.stringify(result))
  assert.deepEqual(result.problems, [])
  const named = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) })
  const documents = Object.entries(result.files)
    .filter(([path]) => path.endsWith('.yaml'))
    .flatMap(([, text]) => parseAllDocuments(text).map((document): unknown => document.toJS()))
    .filter((object) => object !== null)
  return new Map(documents.map((object) => [`${named.parse(object).kind} ${named.parse(object).metadata.name}`, object]))
}

test('helm: the chart has the version of the program', () => {
  const text = readFileSync(join(chart, 'Chart.yaml'), 'utf8')
  const { version, appVersion } = z.object({ version: z.string(), appVersion: z.string() }).parse(parse(text))
  assert.deepEqual([version, appVersion], [VEDETTE_VERSION, VEDETTE_VERSION])
})

describe(
  'helm, with its own engine',
  { skip: !existsSync(python) && 'there is no Helm here: .ci/run installs its engine for Python' },
  () => {
    test('one hub: not root, read-only root, all capabilities dropped, and its variables are options', () => {
      const objects = objectsOf({ hub: { appUrl: 'https://hub.example.org/mon', trustedProxies: ['10.0.0.0/8'] } })
      assert.deepEqual([...objects.keys()].toSorted(), ['Service vedette', 'Service vedette-hubs', 'StatefulSet vedette-hub'])
      const { spec } = workload.parse(objects.get('StatefulSet vedette-hub'))
      const { containers, securityContext } = spec.template.spec
      assert.deepEqual([spec.replicas, securityContext.runAsNonRoot], [1, true])
      assert.equal(containers[0].image, `vedette-monitor/vedette-hub:${VEDETTE_VERSION}`)
      const known = Object.values(hubOptions).flatMap(({ environment }): readonly string[] => environment)
      assert.deepEqual(
        containers[0].env.map(({ name }) => name).filter((name) => !known.includes(name)),
        [],
      )
      const result = parseHubConfig([], Object.fromEntries(containers[0].env.map(({ name, value }) => [name, value])))
      assert.ok(result.ok)
      assert.deepEqual([result.config.appUrl, result.config.trustedProxies], ['https://hub.example.org/mon', ['10.0.0.0/8']])
      assert.match(JSON.stringify(objects.get('StatefulSet vedette-hub')), /"path":"\/mon\/api\/health"/)
    })

    test('an agent on each node: it has a Secret, the address of the hub, and the 4 capabilities with which it leaves root', () => {
      const objects = objectsOf({ agent: { enabled: true, existingSecret: 'agents' } }, 'fleet')
      const [agent] = workload.parse(objects.get('DaemonSet fleet-vedette-agent')).spec.template.spec.containers
      assert.equal(agent.env.find(({ name }) => name === 'HUB_URL')?.value, 'http://fleet-vedette.monitoring.svc:8090')
      assert.deepEqual(agent.securityContext.capabilities.add, ['CHOWN', 'DAC_OVERRIDE', 'SETGID', 'SETUID'])
      const refused = render({ agent: { enabled: true } })
      assert.match('refusal' in refused ? refused.refusal : '', /agent\.existingSecret: agents need a Secret/)
    })

    test('many hubs: they need a Secret, are spread, and are not evicted together', () => {
      const objects = objectsOf({ hub: { replicas: 3, existingSecret: 'hubs' }, ingress: { enabled: true, tlsSecret: 'certificate' } })
      assert.ok(objects.has('PodDisruptionBudget vedette-hub') && objects.has('Ingress vedette'))
      assert.equal(workload.parse(objects.get('StatefulSet vedette-hub')).spec.replicas, 3)
      const refused = render({ hub: { replicas: 3 } })
      assert.match('refusal' in refused ? refused.refusal : '', /hub\.replicas: several hubs need PostgreSQL, NATS and one key/)
    })

    test('a mistyped value is refused', () => {
      const refused = render({ hub: { replica: 3 } })
      assert.match('refusal' in refused ? refused.refusal : '', /'replica'/)
    })
  },
)
