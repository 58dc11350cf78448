import type { ChannelRequest } from './channel.ts'

/** A POST request with a JSON body, which most providers expect. */
export const jsonPost = (url: string, body: object, headers: Readonly<Record<string, string>> = {}): ChannelRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
