// Teams: a column shared by several people, who throw in turn.

import { h } from "./dom.js";
import { t } from "./words.js";

/** @type {PagePart} */
export const part = {
  names: ({ members }) => members,
  seat: {
    column: { label: t("page/lobby/team/add"), name: t("page/lobby/team/name"), fields: { members: "" } },
    seed: ({ members }) => (members.length ? { members: members.join(", ") } : {}),
    form: ({ column, index, say }) =>
      column.members === undefined
        ? null
        : h("input.way", {
            type: "text",
            value: column.members,
            maxlength: 260,
            placeholder: t("page/lobby/team/members"),
            "aria-label": t("page/lobby/team/members_of", { n: index + 1 }),
            oninput: (event) => say({ members: event.currentTarget.value }),
          }),
    fields({ column: { members = "" } }) {
      const all = members
        .split(",")
        .map((each) => each.trim())
        .filter(Boolean);
      return all.length ? { members: all } : {};
    },
  },
};
