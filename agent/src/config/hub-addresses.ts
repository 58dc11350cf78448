import type { HubAddress } from '../link/websocket-link.ts'
import { agentSocketUrl } from '../text/hub-url.ts'
import { readCertificate } from './certificate-config.ts'
import type { OptionReader } from './option-reader.ts'
import { readProxy } from './proxy-config.ts'

/**
 * Reads the option HUB_URL and returns the hub addresses, in their order and without duplicates. The list is empty when the option is not
 * set; invalid addresses are reported and left out.
 */
export function readHubs(reader: OptionReader): readonly HubAddress[] {
  const given = reader.text('HUB_URL')
  if (given === undefined) return []
  const urls = new Set<string>()
  for (const text of given.trim().split(/\s*,\s*|\s+/)) {
    const url = agentSocketUrl(text)
    if (url === undefined) reader.refuse(`HUB_URL: "${text}" is not an address such as https://hub.example.org`)
    else urls.add(url)
  }
  return [...urls].map((url) => ({ url, proxy: readProxy(reader, url), certificateSha256: readCertificate(reader, url) }))
}
