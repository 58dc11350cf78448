import { factsOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { contentTypes, formatFor } from '../metrics/exposition.ts'
import { collectExposition, type ExpositionParts } from '../metrics/metrics.ts'

export const readExposition = defineRoute('GET /metrics', {
  tag: 'hub',
  summary: "Metrics for Prometheus, in OpenMetrics: the systems that the key's owner sees and, for admins, the hub",
  access: 'API key',
  keys: 'read',
  response: 'text',
  async handle({ c }, parts: ExpositionParts) {
    const format = formatFor(c.req.header('accept') ?? '')
    const metrics = (await collectExposition(parts, factsOf(c))).parts(format)
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { done, value } = metrics.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
    })
    return new Response(body, { headers: { 'content-type': contentTypes[format], 'cache-control': 'no-store', vary: 'Accept' } })
  },
})
