import { useQuery } from '@tanstack/react-query'
import { getJson } from '../../api/client.ts'
import { recordOf, textOf, type JsonRecord } from '../../api/json.ts'
import { officeKeys } from '../../api/keys.ts'
import { Card } from '../../ui/card.tsx'
import * as words from '../../words/messages.js'
import type { FormField } from '../forms/form-field.ts'
import { SettingsForm } from '../forms/settings-form.tsx'
import { rateRulesIn, rateRulesText } from './rate-rules-text.ts'

type CardProps = { stored: JsonRecord; save: (change: JsonRecord) => Promise<unknown> }

/**
 * React component: settings card with the hub's rate limits: how many requests one client address may send. `stored` are the hub's
 * settings; `save` stores a change of them.
 */
export const LimitsCard = ({ stored, save }: CardProps) => (
  <Card title={words.office_limits()} description={words.office_limits_about()}>
    <SettingsForm fields={limitFields()} stored={stored} save={save} />
  </Card>
)

/**
 * React component: settings card with the trusted proxies, whose forwarding headers (such as X-Forwarded-For) the hub believes. It shows
 * this browser's address as the hub sees it, and stores a change with `save`.
 */
export function ProxiesCard({ stored, save }: CardProps) {
  // The query key contains the stored proxies, because they change the address that the hub sees.
  const seen = useQuery({
    queryKey: officeKeys.seenAddress(stored['trustedProxy']),
    queryFn: async ({ signal }) => recordOf(recordOf(await getJson('/api/health', signal))['data']),
  })
  const address = textOf(seen.data?.['realIP']) ?? '…'
  const header = textOf(seen.data?.['possibleProxyHeader']) ?? words.office_no_header()
  return (
    <Card title={words.office_proxies()} description={words.office_proxies_about({ address, header })}>
      <SettingsForm fields={proxyFields()} stored={stored} save={save} />
    </Card>
  )
}

const limitFields = (): readonly FormField[] => [
  { path: 'rateLimits.enabled', label: words.office_limits_enabled(), type: 'flag' },
  {
    path: 'rateLimits.rules',
    label: words.office_limits_rules(),
    hint: words.office_limits_rules_hint(),
    type: 'lines',
    asText: rateRulesText,
    asList: rateRulesIn,
  },
  { path: 'rateLimits.excludedIPs', label: words.office_limits_excluded(), hint: words.office_networks_hint(), type: 'lines' },
]

const proxyFields = (): readonly FormField[] => [
  { path: 'trustedProxy.networks', label: words.office_proxies_networks(), hint: words.office_proxies_networks_hint(), type: 'lines' },
  { path: 'trustedProxy.headers', label: words.office_proxies_headers(), hint: words.office_proxies_headers_hint(), type: 'lines' },
  { path: 'trustedProxy.useLeftmostIP', label: words.office_proxies_leftmost(), hint: words.office_proxies_leftmost_hint(), type: 'flag' },
]
