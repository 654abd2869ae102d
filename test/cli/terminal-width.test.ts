/** Text on terminals of several widths: no line is cut within a word, and no word is lost. */
import { accounts, commandProjects } from "../support/command";

const start = commandProjects();
const wordsOf = (text: string) => text.replace(/\d+ ms/g, "").split(/\s+/);

test.each(["plan --help", "explain TENANCY_PLUGIN_UNAVAILABLE", "plan", "doctor"])(
  "`tenancy %s` fits the terminal",
  async (typed) => {
    const project = await start();
    const stack = accounts("acme");
    const jane = {
      username: "jane",
      account_id: "${tenancy_account.acme.id}",
      xref: "名前 ".repeat(12),
      permissions: { "vss.format_disks": true, "vss.update_vss": true, "user.manage_users": true },
    };
    const resource = { ...(stack["resource"] as object), tenancy_user_profile: { jane } };
    await project.declare({ prod: { ...stack, resource } });
    const whole = await project.tenancy(typed.split(" "));
    for (const columns of [60, 80, 100]) {
      const { stdout, stderr } = await project.tenancy(typed.split(" "), { columns });
      expect(wordsOf(stdout + stderr)).toEqual(wordsOf(whole.stdout + whole.stderr));
      const long = (stdout + stderr).split("\n").filter((line) => line.length > columns);
      // A word that is longer than the line is left to the terminal: it can be copied.
      expect(long.filter((line) => !/^(.* {2})?\S+$/.test(line))).toEqual([]);
    }
  },
);
