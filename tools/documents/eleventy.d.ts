/** Parts of Eleventy's API that the build of the documents uses. The package has no types. */
declare module '@11ty/eleventy' {
  export type EleventyConfig = {
    readonly setIncludesDirectory: (folder: string) => void
    readonly setUseGitIgnore: (isUsed: boolean) => void
    readonly setTemplateFormats: (formats: readonly string[]) => void
    /** Adds a page that is no file: its path below the input folder, its content and its data. */
    readonly addTemplate: (path: string, content: string, data: Readonly<Record<string, unknown>>) => void
  }
  export type EleventyOptions = {
    readonly quietMode: boolean
    readonly configPath?: string | undefined
    /** Called with the configuration; the result has the template engine of HTML files, `false` for none. */
    readonly config: (config: EleventyConfig) => { readonly htmlTemplateEngine: false }
  }
  export class Eleventy {
    constructor(input: string, output: string, options: EleventyOptions)
    write(): Promise<unknown>
  }
}
