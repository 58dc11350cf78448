import type { Plugin } from 'vite'

/** Services of the hub's client that no page asks: a fifth of it. */
const unusedServices = /,this\.(?:collections|files|logs|settings|health|backups|crons|sql)=new \w+\(this\)/g

/** What its classes can do and no page wants, by class. A method that is missing is an error: the client was changed, and this list is to be read again. */
const unusedMethods: Readonly<Record<string, readonly string[]>> = {
  RecordService: [
    'requestVerification',
    'confirmVerification',
    'requestEmailChange',
    'confirmEmailChange',
    'listExternalAuths',
    'unlinkExternalAuth',
    'requestOTP',
    'authWithOTP',
    'impersonate',
  ],
  Client: ['admins', 'createBatch', 'getFileUrl', 'buildUrl'],
}

type Span = { readonly start: number; readonly end: number }
type Method = Span & { readonly key?: { readonly name?: string } }
type Class = { readonly type: string; readonly id?: { readonly name: string }; readonly body: { readonly body: readonly Method[] } }

/** Leaves out of the hub's client what is never called, which no bundler can tell of methods. */
export const lightClient = (): Plugin => ({
  name: 'vedette:light-client',
  transform(code, id) {
    if (!/node_modules\/pocketbase\/dist\/.*\.m?js$/.test(id)) return null
    const light = code.replaceAll(unusedServices, '')
    if (light === code) this.error('Cannot leave out unused services of the client: it is written otherwise than expected')
    // The parser's types leave open what a statement is; it is looked at before it is read.
    const classes = (this.parse(light).body as unknown as readonly Class[]).filter(({ type }) => type === 'ClassDeclaration')
    const unused = Object.entries(unusedMethods).flatMap(([owner, names]) => {
      const methods = classes.find(({ id: own }) => own?.name === owner)?.body.body ?? []
      return names.map((name) => methods.find(({ key }) => key?.name === name) ?? this.error(`Cannot find ${owner}.${name} of the client`))
    })
    return without(light, unused)
  },
})

/** The text without these parts, none of which lies in another. */
function without(text: string, spans: readonly Span[]): string {
  let kept = text
  for (const { start, end } of spans.toSorted((a, b) => b.start - a.start)) kept = kept.slice(0, start) + kept.slice(end)
  return kept
}
