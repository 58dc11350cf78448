import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles, readSource, root } from './rules/source-tree.ts'

/**
 * List of the names of the guides in `docs/contributing` whose Markdown contains code diffs. The diffs build on each other and apply in
 * this order.
 */
export const guides = ['collector', 'chart', 'alert', 'channel', 'route'] as const

export const guidePath = (guide: string): string => `docs/contributing/${guide}.md`

const DIFF = /```diff\n([\s\S]*?)```/g

/** Returns the diffs in a guide's Markdown (its `diff` code blocks), as texts in their order. */
export const diffsIn = (markdown: string): readonly string[] => [...markdown.matchAll(DIFF)].map(([, diff = '']) => diff)

/** Returns the commands in a guide's Markdown that test the code of its diffs: lines of its `sh` blocks that start with `node tools/`. */
export const commandsIn = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, lines = '']) =>
    lines.split('\n').filter((line) => line.startsWith('node tools/')),
  )

/**
 * Copies the project's source files, except PNG images, into an empty folder, to apply the guides' diffs there. Packages are links to those
 * of this project; `@vedette/*` is the copy's own.
 */
export function copyProject(folder: string): void {
  for (const path of listFiles().filter((one) => !one.endsWith('.png'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(root, path), join(folder, path))
  }
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '@vedette'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one === '.bin' || !/^\.|^@vedette$/.test(one)))
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  for (const name of readdirSync(join(root, 'node_modules', '@vedette'))) symlinkSync(`../../${name}`, join(packages, '@vedette', name))
}

/**
 * Applies the diffs of a contributors' guide to the copy of the project in `folder`. Throws an Error with the output of git-apply(1) when a
 * diff does not fit.
 */
export function applyGuide(folder: string, guide: string): void {
  for (const diff of diffsIn(readSource(guidePath(guide)))) execFileSync('git', ['apply', '-'], { cwd: folder, input: diff, stdio: 'pipe' })
}

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=guides', '-c', 'user.email=guides@localhost', ...args], { cwd: folder, encoding: 'utf8' })

/**
 * Creates a Git repository in `folder` with a copy of the project: one commit for the project, then one for the diffs of each contributors'
 * guide. Hunks that no longer fit are written as `.rej` files for repair by hand.
 */
function open(folder: string): void {
  copyProject(folder)
  git(folder, 'init', '-q')
  const commit = (subject: string) => {
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '--allow-empty', '-m', subject)
  }
  commit('project')
  for (const guide of guides) {
    for (const diff of diffsIn(readSource(guidePath(guide))))
      try {
        execFileSync('git', ['apply', '--reject', '-'], { cwd: folder, input: diff, stdio: ['pipe', 'ignore', 'inherit'] })
      } catch {
        console.log(`A diff of ${guidePath(guide)} does not fit: repair it in ${folder}, then amend or rebase the commit "${guide}"`)
      }
    commit(guide)
  }
}

/**
 * Replaces the diffs in the contributors' guides (Markdown) by the commits of `folder`, a repository that `open` created and a developer
 * corrected. Each diff keeps its list of files. Throws when `folder` has uncommitted changes.
 */
function save(folder: string): void {
  if (git(folder, 'status', '--porcelain') !== '') throw new Error(`Cannot save the guides: ${folder} has changes that are not committed`)
  const commits = git(folder, 'log', '--reverse', '--format=%H', `-${guides.length}`).trim().split('\n')
  for (const [index, guide] of guides.entries()) {
    const commit = commits[index] ?? ''
    const markdown = readSource(guidePath(guide)).replaceAll(DIFF, (_, diff: string) => {
      const files = [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path)
      const made = files.map((path) => git(folder, 'diff', '-U2', `${commit}^`, commit, '--', path)).join('')
      return `\`\`\`diff\n${made.replaceAll(/^(?:diff --git|index|new file mode) .*\n/gm, '')}\`\`\``
    })
    writeFileSync(join(root, guidePath(guide)), markdown)
  }
}

if (import.meta.main) {
  const [action, folder] = process.argv.slice(2)
  if (folder === undefined || (action !== 'open' && action !== 'save')) {
    console.error('Usage: node tools/guides.ts open|save FOLDER')
    process.exitCode = 2
  } else if (action === 'open') open(folder)
  else save(folder)
}
