import type { ChannelRequest } from './channel.ts'

/** A message as JSON, the way most providers take it. */
export const jsonPost = (url: string, body: object, headers: Readonly<Record<string, string>> = {}): ChannelRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
