/**
 * Type declarations for the parts of Eleventy (the generator of the static documents) that this project uses, because the package has no
 * types.
 */
declare module '@11ty/eleventy' {
  export type EleventyConfig = {
    readonly setIncludesDirectory: (folder: string) => void
    readonly setUseGitIgnore: (isUsed: boolean) => void
    readonly setTemplateFormats: (formats: readonly string[]) => void
    /**
     * Adds a virtual page, without a file, to Eleventy's build: its path below the input folder, its content, and the data for its
     * template.
     */
    readonly addTemplate: (path: string, content: string, data: Readonly<Record<string, unknown>>) => void
  }
  export type EleventyOptions = {
    readonly quietMode: boolean
    readonly configPath?: string | undefined
    /**
     * Function that sets up Eleventy; called with its configuration object. Its result selects the template engine for HTML files: `false`
     * for none.
     */
    readonly config: (config: EleventyConfig) => { readonly htmlTemplateEngine: false }
  }
  export class Eleventy {
    constructor(input: string, output: string, options: EleventyOptions)
    write(): Promise<unknown>
  }
}
