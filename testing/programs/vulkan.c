// Runs compute shaders on the first Vulkan device: PROGRAM [SHADER.spv OUT]... Each has the entry point `main` and gets four storage buffers,
// filled anew; 16 workgroups run, and OUT is what the buffers hold then. Prints the name of the device, then each OUT once it is written.
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>
#include "buffers.h"

static void must(VkResult result, const char *what) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", what, result);
  exit(2);
}
#define MUST(call) must(call, #call)

static VkPhysicalDevice gpu;
static VkDevice device;
static VkQueue queue;
static VkBuffer buffer[BUFFERS];
static uint32_t *words[BUFFERS];
static VkPipelineLayout layout;
static VkDescriptorSet set;
static VkCommandPool commands;

// A device with all the features that it has.
static void open_device(void) {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
  VkInstance instance;
  MUST(vkCreateInstance(&info, 0, &instance));
  uint32_t count = 1;
  vkEnumeratePhysicalDevices(instance, &count, &gpu);
  if (!count) must(VK_ERROR_INITIALIZATION_FAILED, "no device");
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(gpu, &properties);
  printf("%s\n", properties.deviceName);
  VkPhysicalDeviceVulkan13Features third = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features second = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &third};
  VkPhysicalDeviceVulkan11Features first = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &second};
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &first};
  vkGetPhysicalDeviceFeatures2(gpu, &features);
  float priority = 1;
  VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  VkDeviceCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queues};
  MUST(vkCreateDevice(gpu, &create, 0, &device));
  vkGetDeviceQueue(device, 0, 0, &queue);
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  MUST(vkCreateCommandPool(device, &pool, 0, &commands));
}

// Memory that the processor sees as the device leaves it.
static uint32_t memory_type(void) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(gpu, &memory);
  VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
    if ((memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  must(VK_ERROR_MEMORY_MAP_FAILED, "no memory that the processor sees");
  return 0;
}

static void make_buffers(void) {
  uint32_t type = memory_type();
  VkDescriptorSetLayoutBinding bindings[BUFFERS];
  VkDescriptorBufferInfo infos[BUFFERS];
  VkWriteDescriptorSet writes[BUFFERS];
  for (uint32_t i = 0; i < BUFFERS; i++) {
    VkBufferCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = WORDS * 4, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    MUST(vkCreateBuffer(device, &create, 0, &buffer[i]));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer[i], &needs);
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    VkDeviceMemory memory;
    MUST(vkAllocateMemory(device, &allocate, 0, &memory));
    MUST(vkBindBufferMemory(device, buffer[i], memory, 0));
    MUST(vkMapMemory(device, memory, 0, WORDS * 4, 0, (void **)&words[i]));
    bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, 0};
    infos[i] = (VkDescriptorBufferInfo){buffer[i], 0, VK_WHOLE_SIZE};
  }
  VkDescriptorSetLayoutCreateInfo sets = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = BUFFERS, .pBindings = bindings};
  VkDescriptorSetLayout of_set;
  MUST(vkCreateDescriptorSetLayout(device, &sets, 0, &of_set));
  VkPipelineLayoutCreateInfo of_pipeline = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &of_set};
  MUST(vkCreatePipelineLayout(device, &of_pipeline, 0, &layout));
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS};
  VkDescriptorPoolCreateInfo pools = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
  VkDescriptorPool pool;
  MUST(vkCreateDescriptorPool(device, &pools, 0, &pool));
  VkDescriptorSetAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &of_set};
  MUST(vkAllocateDescriptorSets(device, &allocate, &set));
  for (uint32_t i = 0; i < BUFFERS; i++)
    writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set,
                                       .dstBinding = i,
                                       .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .pBufferInfo = &infos[i]};
  vkUpdateDescriptorSets(device, BUFFERS, writes, 0, 0);
}

static void run(const char *path, const char *target) {
  static uint32_t code[1 << 20];
  FILE *file = fopen(path, "rb");
  if (!file) must(VK_ERROR_UNKNOWN, path);
  size_t size = fread(code, 1, sizeof code, file);
  fclose(file);
  for (uint32_t i = 0; i < BUFFERS; i++) fill(words[i], i);
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
  VkShaderModule module;
  MUST(vkCreateShaderModule(device, &info, 0, &module));
  VkPipelineShaderStageCreateInfo stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"};
  VkComputePipelineCreateInfo create = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout, .stage = stage};
  VkPipeline pipeline;
  MUST(vkCreateComputePipelines(device, 0, 1, &create, 0, &pipeline));
  VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = commands, .commandBufferCount = 1};
  VkCommandBuffer recorded;
  MUST(vkAllocateCommandBuffers(device, &allocate, &recorded));
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  MUST(vkBeginCommandBuffer(recorded, &begin));
  vkCmdBindPipeline(recorded, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(recorded, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, 0);
  vkCmdDispatch(recorded, GROUPS, 1, 1);
  MUST(vkEndCommandBuffer(recorded));
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &recorded};
  MUST(vkQueueSubmit(queue, 1, &submit, 0));
  MUST(vkQueueWaitIdle(queue));
  vkFreeCommandBuffers(device, commands, 1, &recorded);
  vkDestroyPipeline(device, pipeline, 0);
  vkDestroyShaderModule(device, module, 0);
  FILE *out = fopen(target, "wb");
  for (int i = 0; out && i < BUFFERS; i++) fwrite(words[i], 4, WORDS, out);
  if (!out || fclose(out)) must(VK_ERROR_UNKNOWN, target);
  printf("%s\n", target);
  fflush(stdout);
}

int main(int count, char **given) {
  open_device();
  make_buffers();
  for (int i = 1; i + 1 < count; i += 2) run(given[i], given[i + 1]);
  return 0;
}
