/* Counts the instructions of an emulated program: a plugin of QEMU (its interface of version 1; 7.2 was tried).
 *
 * A system call with the number MARK, which Linux does not have, writes the count into the file given as
 * out=FILE, a line each. Declared here is what is used of qemu-plugin.h, which no package of Debian 12 brings.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MARK 9999

struct qemu_plugin_tb;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int add, void *, uint64_t);
void qemu_plugin_register_vcpu_syscall_cb(
    uint64_t, void (*)(uint64_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                       uint64_t, uint64_t));
void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void *), void *);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t count;
static FILE *out;

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &count, qemu_plugin_tb_n_insns(block));
}

static void tell(uint64_t id, void *unused)
{
    (void)id, (void)unused;
    fprintf(out, "%" PRIu64 "\n", count);
    fflush(out);
}

static void called(uint64_t id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                   uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number == MARK)
        tell(id, NULL);
}

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info;
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0 || (out = fopen(argv[0] + 4, "a")) == NULL)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_atexit_cb(id, tell, NULL);
    return 0;
}
